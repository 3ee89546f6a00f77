package io.github.hilo.data;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.bson.Document;

import org.springframework.data.mongodb.core.convert.MongoConverter;

/**
 * Makes sure that a template stores what was given out: the checks of stored ids find
 * nothing else. Where a converter of the application may write the field, it is looked at
 * before it is sent.
 * <p>
 * Thread-safe: what was found out is in a concurrent map.
 */
final class TemplateConverter {

	private final Supplier<MongoConverter> converter;

	private final Map<AssignableProperty, Boolean> converted = new ConcurrentHashMap<>();

	TemplateConverter(Supplier<MongoConverter> converter) {
		this.converter = converter;
	}

	/**
	 * Refuses an entity whose value would be stored as something else.
	 * @param value a number or a document id
	 * @throws IllegalStateException if it would
	 */
	void requireStored(Object entity, AssignableProperty property, Object value) {
		Boolean known = this.converted.get(property);
		if (known == null) {
			known = property.isConverted(this.converter.get().getCustomConversions());
			this.converted.put(property, known);
		}
		if (known) {
			Document stored = new Document();
			this.converter.get().write(entity, stored);
			property.requireStored(value, stored);
		}
	}

}
