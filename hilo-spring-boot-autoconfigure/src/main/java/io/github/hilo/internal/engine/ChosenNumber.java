package io.github.hilo.internal.engine;

import io.github.hilo.internal.store.Place;

/**
 * The number of a {@link ChosenValue} that must be excluded.
 */
public record ChosenNumber(String sequence, long number, Place.Known known) {

	boolean isOfType() {
		return this.known == Place.Known.BY_TYPE;
	}

}
