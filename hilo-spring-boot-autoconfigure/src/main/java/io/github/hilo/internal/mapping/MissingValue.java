package io.github.hilo.internal.mapping;

import io.github.hilo.internal.store.Place;

/**
 * An id or a number that an entity does not have yet when it is saved.
 *
 * @param sequence the sequence that issues the value
 * @param place the field that the entity is saved with
 */
public record MissingValue(NumberedProperty property, String sequence, Place place, KnownTypes types) {

	public boolean isNumeric() {
		return this.property.isNumeric();
	}

	public void requireOneCounter(String database) {
		this.types.requireOneCounter(this.property, database, this.place, this.sequence);
	}

	public Object requireFit(Object value) {
		this.property.requireFit(value, this.sequence);
		return value;
	}

}
