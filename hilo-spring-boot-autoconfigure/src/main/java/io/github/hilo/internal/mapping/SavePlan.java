package io.github.hilo.internal.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.util.ReflectionUtils;

/**
 * What saves of a type to a collection have to fill. Never changes.
 *
 * @param fields the fields that get values
 * @param unnamed the properties whose sequence could not be named, and why
 */
public record SavePlan(List<CountedField> fields, Map<NumberedProperty, Throwable> unnamed) {

	static final SavePlan NOTHING = new SavePlan(List.of(), Map.of());

	/**
	 * Finds the fields for which an entity has no values.
	 * @throws RuntimeException if the sequence of one of them could not be named
	 */
	public List<CountedField> missing(Object entity) {
		for (Map.Entry<NumberedProperty, Throwable> failed : this.unnamed.entrySet()) {
			if (failed.getKey().isMissingIn(entity)) {
				ReflectionUtils.rethrowRuntimeException(failed.getValue());
			}
		}
		List<CountedField> missing = List.of();
		for (CountedField field : this.fields) {
			if (field.property().isMissingIn(entity)) {
				missing = missing.isEmpty() ? new ArrayList<>(1) : missing;
				missing.add(field);
			}
		}
		return missing;
	}

}
