package io.github.hilo.internal.mongodb;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A {@code find} of one document.
 *
 * @param sort the order of the documents, of which the first is found, or {@code null}
 * for any document
 */
public record Query(String collection, BsonDocument filter, BsonDocument projection, @Nullable BsonDocument sort) {
}
