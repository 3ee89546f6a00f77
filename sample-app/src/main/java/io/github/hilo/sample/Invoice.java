package io.github.hilo.sample;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An invoice. Their numbers are in strict order:
 * {@code hilo.sequences.invoices.consecutive} is on.
 *
 * @param id a number, or 0 before it is saved
 * @param issuedAt when it was issued
 */
@Document("invoices")
record Invoice(long id, Instant issuedAt) {

	static Invoice issuedAt(Instant time) {
		// MongoDB keeps no more.
		return new Invoice(0, time.truncatedTo(ChronoUnit.MILLIS));
	}

}
