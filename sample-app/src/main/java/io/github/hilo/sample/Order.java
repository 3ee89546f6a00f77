package io.github.hilo.sample;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An order. Being a record it can't be given its id afterwards: saving returns a copy
 * that has one.
 *
 * @param id a document id such as {@code orders/1-A}, or {@code null} before it is saved
 * @param placedAt when it was placed
 * @param position its place among the orders that were placed at once
 */
@Document("orders")
record Order(@Nullable String id, Instant placedAt, int position) {

	static Order placedAt(Instant time, int position) {
		// MongoDB keeps no more; without this an order would change when it is read back.
		return new Order(null, time.truncatedTo(ChronoUnit.MILLIS), position);
	}

}
