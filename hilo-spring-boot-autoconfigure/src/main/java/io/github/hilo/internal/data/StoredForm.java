package io.github.hilo.internal.data;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.internal.mapping.MissingValue;
import io.github.hilo.internal.mapping.NumberedProperty;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.core.convert.MongoConverter;

/**
 * Assigns issued values to entities, and makes sure that a template stores exactly these
 * values, because the checks of stored ids find no other form. If a converter of the
 * application may write the field, the converted document is inspected before it is sent.
 * <p>
 * Thread-safe: {@code converted} is a concurrent map, and the other field is final.
 */
final class StoredForm {

	private final @Nullable MongoConverter converter;

	private final Map<NumberedProperty, Boolean> converted = new ConcurrentHashMap<>();

	/**
	 * @param converter the template's converter, or {@code null} if no template is known
	 */
	StoredForm(@Nullable MongoConverter converter) {
		this.converter = converter;
	}

	/**
	 * @return the entity that has the values
	 * @throws IllegalStateException if a value would be stored as something else
	 */
	Object assign(Object entity, List<MissingValue> missing, List<Object> values) {
		Object assigned = entity;
		for (int i = 0; i < values.size(); i++) {
			assigned = missing.get(i).property().assign(assigned, values.get(i), this.converter);
		}
		if (this.converter != null) {
			requireStored(assigned, missing, this.converter);
		}
		return assigned;
	}

	private void requireStored(Object entity, List<MissingValue> given, MongoConverter converter) {
		List<NumberedProperty> written = given.stream()
			.map(MissingValue::property)
			.filter((property) -> this.converted.computeIfAbsent(property,
					(unknown) -> unknown.isConverted(converter.getCustomConversions())))
			.toList();
		if (!written.isEmpty()) {
			Document stored = new Document();
			converter.write(entity, stored);
			written.forEach((property) -> property.requireStored(entity, stored, converter));
		}
	}

}
