package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Finds the store of a database, and runs tasks on threads of its own.
 */
public interface RangeStores extends AutoCloseable {

	RangeStore current(Deadline deadline);

	/**
	 * Whether {@link #current} always answers the same database, whatever the thread and
	 * the time, so that it is enough to resolve it once.
	 */
	boolean isCurrentFixed();

	RangeStore named(String database, Deadline deadline);

	/**
	 * Returns what runs short tasks for callers that must not wait themselves, on a
	 * thread of the stores' own. A task may wait for a lock, but not for an answer. It
	 * takes tasks for ever.
	 */
	Executor executor();

	/**
	 * Runs a task later, on a thread of the stores' own, which no application can block.
	 */
	default Runnable after(Duration delay, Runnable task) {
		return TimeSource.SYSTEM.after(delay, Runnable::run, task);
	}

	/**
	 * Lets the requests under way finish and accepts no more.
	 */
	@Override
	void close();

}
