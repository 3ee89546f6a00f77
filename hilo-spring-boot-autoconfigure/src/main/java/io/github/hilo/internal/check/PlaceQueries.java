package io.github.hilo.internal.check;

import java.util.ArrayList;
import java.util.List;

import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Creates queries for the ids in a place, which an index of the place's field can answer.
 */
final class PlaceQueries {

	private static final BsonDocument ARRAY = new BsonDocument("$type", new BsonString("array"));

	private static final String LAST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);

	private PlaceQueries() {
	}

	/**
	 * Returns the conditions for the ids of a range: one or, for texts, one for each
	 * number of digits, zeros in front included. Texts with equally many digits sort as
	 * their numbers do, and shorter and longer ones lie between them.
	 */
	static List<BsonDocument> conditions(ReservedRange range, Place place, DocumentIdFormat format) {
		if (place.form() == IdForm.NUMBER) {
			return List.of(bounds(range.min(), range.max()));
		}
		String head = format.head() + range.serverPrefix();
		String tail = TextNumbers.literal(format.tail());
		List<BsonDocument> conditions = new ArrayList<>();
		long last = range.min() - 1;
		while (last < range.max()) {
			long first = last + 1;
			int digits = Math.max(format.digits(), Long.toString(first).length());
			last = Math.min(range.max(), format.lastWithAsManyDigits(first));
			conditions.add(new BsonDocument("$gte", new BsonString(head + format.zeros(first) + first))
				.append("$lt", new BsonString(head + format.zeros(last) + last + LAST_CHARACTER))
				.append("$regex",
						new BsonString("^" + TextNumbers.literal(head) + "[0-9]{" + digits + "}" + tail + "\\z")));
		}
		return conditions;
	}

	static BsonDocument bounds(long least, long most) {
		return new BsonDocument("$gte", new BsonInt64(least)).append("$lte", new BsonInt64(most));
	}

	static Query any(Place place, List<BsonDocument> conditions) {
		List<BsonDocument> filters = conditions.stream().map((condition) -> filter(place, condition)).toList();
		return query(place, (filters.size() == 1) ? filters.get(0) : new BsonDocument("$or", new BsonArray(filters)),
				null);
	}

	static Query highest(Place place, BsonDocument condition) {
		return query(place, filter(place, condition), new BsonDocument(place.path(), new BsonInt32(-1)));
	}

	static Query lowest(Place place, BsonDocument condition) {
		return query(place, filter(place, condition), new BsonDocument(place.path(), new BsonInt32(1)));
	}

	/**
	 * Creates a query that returns the place's field alone, so that an index of the field
	 * can answer it: it has no {@code _id}.
	 */
	private static Query query(Place place, BsonDocument filter, @Nullable BsonDocument sort) {
		BsonDocument projection = new BsonDocument(place.path(), new BsonInt32(1));
		if (!place.isId()) {
			projection.append(Place.ID, new BsonInt32(0));
		}
		return new Query(place.collection(), place.path(), filter, projection, sort);
	}

	/**
	 * Excludes arrays, also on the path to the field; {@code _id} is never an array. An
	 * array matches if one element meets the lower bound and another one the upper bound,
	 * and MongoDB would return it instead of a number.
	 */
	private static BsonDocument filter(Place place, BsonDocument bounds) {
		BsonDocument condition = bounds.clone();
		BsonValue regex = condition.remove("$regex");
		BsonDocument filter = new BsonDocument(place.path(), condition);
		if (!place.isId()) {
			condition.append("$not", ARRAY);
			for (int dot = place.path().indexOf('.'); dot > 0; dot = place.path().indexOf('.', dot + 1)) {
				filter.append(place.path().substring(0, dot), new BsonDocument("$not", ARRAY));
			}
		}
		// A separate condition, because mongo-java-server, with which applications test,
		// ignores what stands beside $regex.
		return (regex == null) ? filter : new BsonDocument("$and",
				new BsonArray(List.of(filter, new BsonDocument(place.path(), new BsonDocument("$regex", regex)))));
	}

	static BsonValue valueIn(Place place, BsonDocument answer) {
		BsonValue value = answer;
		for (String name : place.path().split("\\.", -1)) {
			value = value.isDocument() ? value.asDocument().get(name, BsonNull.VALUE) : BsonNull.VALUE;
		}
		return value;
	}

}
