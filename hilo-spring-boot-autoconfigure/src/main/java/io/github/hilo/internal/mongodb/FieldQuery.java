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
 * A {@code find} of one field's values, which its index answers if there is one.
 *
 * @param field the field, as a query names it
 * @param descending whether the highest values come first, or else in any order
 * @param binary whether texts are compared character by character, even in a collection
 * that has a collation of its own
 */
public record FieldQuery(String collection, String field, BsonDocument filter, boolean descending, boolean binary) {

	private static final BsonDocument ARRAY = new BsonDocument("$type", new BsonString("array"));

	public static FieldQuery of(String collection, String field, BsonDocument filter) {
		return new FieldQuery(collection, field, filter, false, false);
	}

	public static FieldQuery any(Place place, List<BsonDocument> values) {
		List<BsonDocument> filters = values.stream().map((condition) -> {
			// A condition of its own: mongo-java-server heeds nothing else beside it.
			BsonValue form = condition.remove("$regex");
			BsonDocument filter = filter(place, condition);
			return (form == null) ? filter : new BsonDocument("$and",
					new BsonArray(List.of(filter, new BsonDocument(place.path(), new BsonDocument("$regex", form)))));
		}).toList();
		return of(place.collection(), place.path(),
				(filters.size() == 1) ? filters.get(0) : new BsonDocument("$or", new BsonArray(filters)));
	}

	public static FieldQuery highest(Place place, BsonDocument values) {
		return new FieldQuery(place.collection(), place.path(), any(place, List.of(values)).filter(), true, false);
	}

	public static FieldQuery texts(Place place, BsonDocument values) {
		return new FieldQuery(place.collection(), place.path(), filter(place, values), false, true);
	}

	/**
	 * Leaves arrays out, also on the way to the field: one matches if any two of its
	 * values do, and would be answered instead of a value that counts.
	 */
	private static BsonDocument filter(Place place, BsonDocument values) {
		BsonDocument filter = new BsonDocument(place.path(), values);
		if (!place.isId()) {
			values.append("$not", ARRAY);
			for (int dot = place.path().indexOf('.'); dot > 0; dot = place.path().indexOf('.', dot + 1)) {
				filter.append(place.path().substring(0, dot), new BsonDocument("$not", ARRAY));
			}
		}
		return filter;
	}

	public @Nullable BsonDocument sort() {
		return this.descending ? new BsonDocument(this.field, new BsonInt32(-1)) : null;
	}

	/**
	 * The field alone: with {@code _id} beside it no other index would do.
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
