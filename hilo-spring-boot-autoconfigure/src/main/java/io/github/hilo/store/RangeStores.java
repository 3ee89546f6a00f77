package io.github.hilo.store;

import java.util.concurrent.Executor;

/**
 * Finds the store of a database. Internal.
 *
 * @hidden
 */
public interface RangeStores extends AutoCloseable {

	/**
	 * Resolves the default database on the calling thread.
	 * @return its store
	 */
	RangeStore current();

	/**
	 * Whether {@link #current()} always answers the same database, whatever the thread
	 * and the time.
	 * @return {@code true} if it is enough to resolve it once
	 */
	boolean isCurrentFixed();

	/**
	 * Resolves a database by its name.
	 * @param database the database's name
	 * @return its store
	 */
	RangeStore named(String database);

	/**
	 * Returns what runs short tasks for callers that must not wait themselves, on a
	 * thread of the stores' own. A task may wait for a lock, but not for an answer. It
	 * takes tasks for ever.
	 * @return the executor
	 */
	Executor executor();

	/**
	 * Lets the requests under way finish and accepts no more.
	 */
	@Override
	void close();

}
