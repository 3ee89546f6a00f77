package io.github.hilo.mongodb;

import io.github.hilo.store.StoredIdScope;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} of one field's values, which its index answers if there is one.
 *
 * @param collection the name of the documents' collection
 * @param field the field, as a query names it
 * @param filter which documents
 * @param descending whether the highest values come first, or else in any order
 * @param limit how many at most, or 0 for all
 * @param binary whether texts are compared character by character, even in a collection
 * that has a collation of its own
 */
record IdQuery(String collection, String field, BsonDocument filter, boolean descending, int limit, boolean binary) {

	private static final BsonDocument ARRAY = new BsonDocument("$type", new BsonString("array"));

	/**
	 * Asks for any document that has a value of a field.
	 */
	static IdQuery any(String collection, String field, BsonDocument filter) {
		return new IdQuery(collection, field, filter, false, 1, false);
	}

	/**
	 * Asks for any document.
	 */
	static IdQuery any(String collection, BsonDocument filter) {
		return any(collection, StoredIdScope.Place.ID, filter);
	}

	/**
	 * Asks for a document with the highest value of a field.
	 */
	static IdQuery highest(String collection, String field, BsonDocument filter) {
		return new IdQuery(collection, field, filter, true, 1, false);
	}

	/**
	 * Asks for all texts of a field.
	 */
	static IdQuery texts(String collection, String field, BsonDocument filter) {
		return new IdQuery(collection, field, filter, false, 0, true);
	}

	/**
	 * Makes a filter for values of a place. Arrays, also on the way to the field, are
	 * left out: one matches if any two of its values do, and would be answered instead of
	 * a value that counts.
	 */
	static BsonDocument filter(StoredIdScope.Place place, BsonDocument values) {
		if (place.isId()) {
			return new BsonDocument(place.path(), values);
		}
		BsonDocument filter = new BsonDocument(place.path(), values.append("$not", ARRAY));
		for (int dot = place.path().indexOf('.'); dot > 0; dot = place.path().indexOf('.', dot + 1)) {
			filter.append(place.path().substring(0, dot), new BsonDocument("$not", ARRAY));
		}
		return filter;
	}

	/**
	 * Finds the value of a place in an answer.
	 */
	static @Nullable BsonValue valueOf(StoredIdScope.Place place, BsonDocument answer) {
		BsonValue value = answer;
		for (String name : place.path().split("\\.", -1)) {
			value = (value != null && value.isDocument()) ? value.asDocument().get(name) : null;
		}
		return value;
	}

	IdQuery first() {
		return new IdQuery(this.collection, this.field, this.filter, this.descending, 1, this.binary);
	}

	@Nullable BsonDocument sort() {
		return this.descending ? new BsonDocument(this.field, new BsonInt32(-1)) : null;
	}

	/**
	 * The field alone: with {@code _id} beside it no other index would do.
	 */
	BsonDocument projection() {
		BsonDocument projection = new BsonDocument(this.field, new BsonInt32(1));
		return this.field.equals(StoredIdScope.Place.ID) ? projection
				: projection.append(StoredIdScope.Place.ID, new BsonInt32(0));
	}

}
