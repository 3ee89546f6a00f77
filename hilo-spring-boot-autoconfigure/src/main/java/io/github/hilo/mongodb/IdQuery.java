package io.github.hilo.mongodb;

import io.github.hilo.store.StoredIdScope;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} of one field's values that its index answers alone, if it has one.
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
		return any(collection, StoredIdScope.Field.ID, filter);
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
		return this.field.equals(StoredIdScope.Field.ID) ? projection
				: projection.append(StoredIdScope.Field.ID, new BsonInt32(0));
	}

}
