package io.github.hilo.internal.mongodb;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} of one document: the first one in an order, or any one.
 *
 * @param field the field that the filter asks for
 */
public record Query(String collection, String field, BsonDocument filter, BsonDocument projection,
		@Nullable BsonDocument sort) {
}
