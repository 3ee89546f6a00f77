package io.github.hilo.sample.shop;

import java.time.Instant;

import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An invoice. Their numbers are in strict order:
 * {@code hilo.sequences.invoices.consecutive} is on.
 *
 * @param id a number, or 0 before it is saved
 * @param issuedAt when it was issued
 */
@Document("invoices")
public record Invoice(long id, Instant issuedAt) {
}
