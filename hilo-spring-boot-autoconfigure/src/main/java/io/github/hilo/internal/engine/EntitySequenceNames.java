package io.github.hilo.internal.engine;

import java.util.List;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * Names the sequences of entity types. The engine asks the mapping metadata through this
 * interface.
 */
@FunctionalInterface
public interface EntitySequenceNames {

	/**
	 * Returns the name of the sequence of an entity type.
	 * @throws IllegalArgumentException if the type is not mapped to a collection
	 */
	String nameOf(Class<?> entityType);

	default boolean isFixed(Class<?> entityType) {
		return true;
	}

	default @Nullable Place registerPlaceOf(Class<?> entityType) {
		return null;
	}

	/**
	 * Finds the places of a sequence, by the types that are known now.
	 */
	default List<Place> placesOf(String sequence) {
		return List.of();
	}

}
