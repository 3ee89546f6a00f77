package io.github.hilo.internal.store;

import java.util.concurrent.Executor;

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
	 * Returns an executor for short tasks of callers that must not wait. The tasks run on
	 * the stores' own threads. A task may wait for a lock, but not for an answer from
	 * MongoDB. The executor accepts tasks even after {@link #close()}.
	 */
	Executor executor();

	/**
	 * Lets the requests in flight finish, and accepts no more.
	 */
	@Override
	void close();

}
