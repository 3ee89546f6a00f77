package io.github.hilo.benchmarks;

import java.util.List;
import java.util.function.Function;

import io.github.hilo.internal.engine.EntitySequenceNames;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;

/**
 * Names of sequences whose ids are stored in some places.
 */
record InPlaces(Function<String, List<Place>> places) implements EntitySequenceNames {

	@Override
	public String nameOf(Class<?> entityType) {
		return entityType.getSimpleName();
	}

	@Override
	public Places placesOf(String sequence) {
		Places known = new Places();
		this.places.apply(sequence).forEach(known::add);
		return known;
	}

}
