package io.github.hilo.store;

import java.util.List;

/**
 * Tells where the numbers of a sequence are stored, as far as metadata says so. Internal:
 * the seam between the store and the mapping metadata.
 * <p>
 * Implementations are thread-safe and send nothing to a server.
 *
 * @hidden
 */
@FunctionalInterface
public interface KnownPlaces {

	/**
	 * Finds the places of a sequence, by the types that are known now.
	 * @param sequence the sequence's name
	 * @return the places
	 * @throws IllegalStateException if two counters would issue the numbers of one place
	 */
	List<Place> of(String sequence);

}
