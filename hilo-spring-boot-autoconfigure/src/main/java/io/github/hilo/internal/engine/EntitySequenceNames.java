package io.github.hilo.internal.engine;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * Names the sequence of an entity type. Internal: the seam between the engine and the
 * mapping metadata.
 *
 * @hidden
 */
@FunctionalInterface
public interface EntitySequenceNames {

	/**
	 * Names the sequence of an entity type.
	 * @param entityType a type, or a proxy's type
	 * @return the exact name of the counter
	 * @throws IllegalArgumentException if the type is not mapped to a collection
	 */
	String nameOf(Class<?> entityType);

	/**
	 * Whether {@link #nameOf} always answers the same for an entity type.
	 * @param entityType a type that has a name
	 * @return {@code false} if it has to be asked every time
	 */
	default boolean isFixed(Class<?> entityType) {
		return true;
	}

	/**
	 * Finds where the ids of an entity type are stored.
	 * @param entityType a type that has a name
	 * @return the place, or {@code null} if its ids are not ours
	 */
	default @Nullable Place placeOf(Class<?> entityType) {
		return null;
	}

}
