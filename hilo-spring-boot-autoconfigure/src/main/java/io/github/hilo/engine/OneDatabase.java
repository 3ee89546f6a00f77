package io.github.hilo.engine;

import io.github.hilo.store.RangeStore;

/**
 * What issues the ids of one database at a time. Internal.
 *
 * @hidden
 */
public interface OneDatabase {

	/**
	 * Resolves the database that a call on this thread would get an id of.
	 * @return the database's store
	 */
	RangeStore store();

}
