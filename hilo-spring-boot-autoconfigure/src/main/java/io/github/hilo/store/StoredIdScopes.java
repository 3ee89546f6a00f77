package io.github.hilo.store;

/**
 * Tells which stored ids count in a sequence. Internal: the seam between the store and
 * the mapping metadata.
 * <p>
 * Implementations are thread-safe and send nothing to a server.
 *
 * @hidden
 */
@FunctionalInterface
public interface StoredIdScopes {

	/**
	 * Finds the ids that count in a sequence, by what is known now. The next reservation
	 * checks them.
	 * @param database the sequence's database
	 * @param sequence the sequence's name
	 * @return where they are and what they look like
	 * @throws IllegalStateException if two counters would issue the numbers of one place
	 */
	StoredIdScope of(String database, String sequence);

}
