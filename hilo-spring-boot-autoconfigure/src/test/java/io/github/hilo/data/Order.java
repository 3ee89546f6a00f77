package io.github.hilo.data;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A document with an id and nothing else.
 */
@Document("orders")
record Order(@Nullable String id) {
}
