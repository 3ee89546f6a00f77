package io.github.hilo.internal.mapping;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.internal.store.Place;

/**
 * An id or a number that an entity lacks at a save.
 *
 * @param sequence the sequence that it comes from
 * @param place the field that the entity is saved with
 */
public record MissingValue(NumberedProperty property, String sequence, Place place, KnownTypes types) {

	public boolean isNumeric() {
		return this.property.isNumeric();
	}

	/**
	 * Refuses a second counter for the field that the entity is saved with.
	 * @throws IllegalStateException if numbers of that field come from another counter
	 */
	public void requireOneCounter(String database) {
		this.types.requireOneCounter(this.property, database, this.place, this.sequence);
	}

	/**
	 * Refuses a number that does not fit.
	 * @throws HiLoExhaustedException if it is too high for an int
	 */
	public Object requireFit(Object value) {
		this.property.requireFit(value, this.sequence);
		return value;
	}

}
