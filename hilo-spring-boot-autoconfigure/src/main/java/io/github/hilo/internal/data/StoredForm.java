package io.github.hilo.internal.data;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.internal.mapping.NumberedProperty;
import org.bson.Document;

import org.springframework.data.mongodb.core.convert.MongoConverter;

/**
 * Makes sure that a template stores what was issued: the checks of stored ids find
 * nothing else. Where a converter of the application may write the field, it is looked at
 * before it is sent.
 */
final class StoredForm {

	private final Supplier<MongoConverter> converter;

	private final Map<NumberedProperty, Boolean> converted = new ConcurrentHashMap<>();

	StoredForm(Supplier<MongoConverter> converter) {
		this.converter = converter;
	}

	MongoConverter converter() {
		return this.converter.get();
	}

	/**
	 * Whether a converter of the application may write a field.
	 */
	boolean mayWrite(NumberedProperty property) {
		return this.converted.computeIfAbsent(property,
				(unknown) -> unknown.isConverted(converter().getCustomConversions()));
	}

	/**
	 * Refuses an entity whose values would be stored as something else.
	 * @throws IllegalStateException if one would
	 */
	void requireStored(Object entity, List<NumberedProperty> given) {
		if (!given.isEmpty()) {
			Document stored = new Document();
			converter().write(entity, stored);
			given.forEach((property) -> property.requireStored(entity, stored, converter()));
		}
	}

}
