package io.github.hilo.sample.shop;

import java.time.Instant;

import io.github.hilo.HiLo;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.index.Indexed;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.FieldType;
import org.springframework.data.mongodb.core.mapping.MongoId;

/**
 * A customer, who keeps an ObjectId and gets a short number beside it.
 *
 * @param id what MongoDB gives it, or {@code null} before it is saved
 * @param number the customer number, or {@code null} before it is saved
 * @param since when it was added
 */
@Document("customers")
public record Customer(@MongoId(FieldType.OBJECT_ID) @Nullable String id,
		@HiLo @Indexed(unique = true) @Nullable Long number, Instant since) {
}
