package io.github.hilo.internal.mongodb;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} of one document: the first one in an order, or any one.
 */
public record Query(String collection, BsonDocument filter, BsonDocument projection, @Nullable BsonDocument sort) {
}
