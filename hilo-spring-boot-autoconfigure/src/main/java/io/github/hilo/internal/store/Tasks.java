package io.github.hilo.internal.store;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/**
 * Runs short tasks on the library's own threads, now or later, for callers that must not
 * wait. A task may wait for a lock, but not for an answer from MongoDB. Tasks are
 * accepted even after the stores were closed. Thread-safe.
 */
public interface Tasks extends Executor {

	/**
	 * Runs a task when a deadline is over.
	 * @return cancels the task
	 */
	Future<?> whenOver(Deadline deadline, Runnable task);

}
