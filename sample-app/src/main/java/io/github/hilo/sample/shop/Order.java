package io.github.hilo.sample.shop;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An order. Being a record it can't be given its id afterwards: saving returns a copy
 * that has one.
 *
 * @param id a document id such as {@code orders/1-A}, or {@code null} before it is saved
 * @param placedAt when it was placed
 */
@Document("orders")
public record Order(@Nullable String id, Instant placedAt) {
}
