package io.github.hilo.mongodb;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} that the {@code _id} index answers alone.
 *
 * @param collection the name of the documents' collection
 * @param filter which documents
 * @param sort their order, or {@code null} for any
 * @param limit how many at most, or 0 for all
 * @param binary whether texts are compared character by character, even in a collection
 * that has a collation of its own
 */
record IdQuery(String collection, BsonDocument filter, @Nullable BsonDocument sort, int limit, boolean binary) {

	static IdQuery any(String collection, BsonDocument filter) {
		return new IdQuery(collection, filter, null, 1, false);
	}

	IdQuery first() {
		return new IdQuery(this.collection, this.filter, this.sort, 1, this.binary);
	}

}
