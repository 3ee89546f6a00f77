package io.github.hilo.sample;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.hilo.HiLo;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A customer, who keeps an ObjectId and gets a short number beside it.
 *
 * @param id what MongoDB gives it, or {@code null} before it is saved
 * @param number the customer number, or {@code null} before it is saved
 * @param since when it was added
 */
@Document("customers")
record Customer(@Nullable ObjectId id, @HiLo @Nullable Long number, Instant since) {

	static Customer since(Instant time) {
		// MongoDB keeps no more.
		return new Customer(null, null, time.truncatedTo(ChronoUnit.MILLIS));
	}

}
