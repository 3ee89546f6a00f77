package io.github.hilo.internal.mongodb;

import java.util.List;

import io.github.hilo.internal.store.Place;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} for the values of one field, which an index of the field can answer.
 *
 * @param field the field, as a query names it
 * @param descending whether the highest values come first; otherwise they come in any
 * order
 */
public record FieldQuery(String collection, String field, BsonDocument filter, boolean descending) {

	private static final BsonDocument ARRAY = new BsonDocument("$type", new BsonString("array"));

	public static FieldQuery of(String collection, String field, BsonDocument filter) {
		return new FieldQuery(collection, field, filter, false);
	}

	public static FieldQuery any(Place place, List<BsonDocument> values) {
		List<BsonDocument> filters = values.stream().map((condition) -> filter(place, condition)).toList();
		return of(place.collection(), place.path(),
				(filters.size() == 1) ? filters.get(0) : new BsonDocument("$or", new BsonArray(filters)));
	}

	public static FieldQuery highest(Place place, BsonDocument values) {
		return new FieldQuery(place.collection(), place.path(), filter(place, values), true);
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

	public @Nullable BsonDocument sort() {
		return this.descending ? new BsonDocument(this.field, new BsonInt32(-1)) : null;
	}

	/**
	 * Returns a projection to the field alone, because an index of another field has no
	 * {@code _id}.
	 */
	public BsonDocument projection() {
		BsonDocument projection = new BsonDocument(this.field, new BsonInt32(1));
		return this.field.equals(Place.ID) ? projection : projection.append(Place.ID, new BsonInt32(0));
	}

	public BsonValue valueIn(BsonDocument answer) {
		BsonValue value = answer;
		for (String name : this.field.split("\\.", -1)) {
			value = value.isDocument() ? value.asDocument().get(name, BsonNull.VALUE) : BsonNull.VALUE;
		}
		return value;
	}

}
