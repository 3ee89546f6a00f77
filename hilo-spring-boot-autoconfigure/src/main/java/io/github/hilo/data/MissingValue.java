package io.github.hilo.data;

import io.github.hilo.store.Place;

/**
 * An id or a number that an entity has to get.
 *
 * @param entity the entity
 * @param property the property that lacks it
 * @param sequence the sequence that it comes from
 * @param place the field that the entity is saved with
 */
record MissingValue(Object entity, AssignableProperty property, String sequence, Place place) {

	boolean isNumeric() {
		return this.property.isNumeric();
	}

	/**
	 * Gives the entity a number or a document id.
	 * @return the entity with it
	 */
	Object assign(Object value) {
		return this.property.assign(this.entity, value, this.sequence);
	}

}
