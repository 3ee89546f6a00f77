package io.github.hilo.internal.engine;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
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
	 * Claims the ids of an entity type for its sequence.
	 * @throws io.github.hilo.HiLoMappingException if they belong to another one
	 */
	default Claim claim(Class<?> entityType, String database) {
		return Claim.NONE;
	}

	/**
	 * Returns the places of the sequences with a name, by the types that are known now
	 * and later. The result is the same each time.
	 */
	default Places placesOf(String sequence) {
		return Places.ofName(sequence);
	}

	/**
	 * Names the sequences of types that are new or could not be named before. Call this
	 * on the thread of a caller, because a naming strategy may depend on it.
	 */
	default void nameTypes() {
	}

}
