package io.github.hilo.internal.store;

/**
 * Resolves databases to their stores, and runs tasks on the stores' own threads.
 */
public interface RangeStores extends AutoCloseable {

	RangeStore current(Deadline deadline);

	/**
	 * Returns whether {@link #current} always returns a store of the same database, on
	 * every thread and at any time. If so, it is enough to resolve the database once.
	 */
	boolean isCurrentFixed();

	RangeStore named(String database, Deadline deadline);

	/**
	 * Lets the client of a database go, unless it stays as long as the application.
	 */
	default void letGo(String database) {
	}

	Tasks tasks();

	/**
	 * Lets the requests in flight finish, and accepts no more.
	 */
	@Override
	void close();

}
