package io.github.hilo.internal.stored;

import java.util.List;

import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.Place;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Creates queries for the ids in a place, which an index of the place's field can answer.
 */
final class PlaceQueries {

	private static final BsonDocument ARRAY = new BsonDocument("$type", new BsonString("array"));

	private PlaceQueries() {
	}

	static Query any(Place place, List<BsonDocument> values) {
		List<BsonDocument> filters = values.stream().map((condition) -> filter(place, condition)).toList();
		return query(place, (filters.size() == 1) ? filters.get(0) : new BsonDocument("$or", new BsonArray(filters)),
				null);
	}

	static Query highest(Place place, BsonDocument values) {
		return query(place, filter(place, values), new BsonDocument(place.path(), new BsonInt32(-1)));
	}

	/**
	 * Creates a query for the field alone, because an index of another field has no
	 * {@code _id}.
	 */
	private static Query query(Place place, BsonDocument filter, @Nullable BsonDocument sort) {
		BsonDocument projection = new BsonDocument(place.path(), new BsonInt32(1));
		if (!place.isId()) {
			projection.append(Place.ID, new BsonInt32(0));
		}
		return new Query(place.collection(), filter, projection, sort);
	}

	/**
	 * Excludes arrays, also on the path to the field. An array matches if any two of its
	 * values meet the bounds, and MongoDB would return it instead of a value that counts.
	 */
	private static BsonDocument filter(Place place, BsonDocument values) {
		BsonDocument condition = values.clone();
		BsonValue form = condition.remove("$regex");
		BsonDocument filter = new BsonDocument(place.path(), condition);
		if (!place.isId()) {
			condition.append("$not", ARRAY);
			for (int dot = place.path().indexOf('.'); dot > 0; dot = place.path().indexOf('.', dot + 1)) {
				filter.append(place.path().substring(0, dot), new BsonDocument("$not", ARRAY));
			}
		}
		// A separate condition, because mongo-java-server ignores what stands beside
		// $regex.
		return (form == null) ? filter : new BsonDocument("$and",
				new BsonArray(List.of(filter, new BsonDocument(place.path(), new BsonDocument("$regex", form)))));
	}

	static BsonValue valueIn(Place place, BsonDocument answer) {
		BsonValue value = answer;
		for (String name : place.path().split("\\.", -1)) {
			value = value.isDocument() ? value.asDocument().get(name, BsonNull.VALUE) : BsonNull.VALUE;
		}
		return value;
	}

}
