package io.github.hilo.benchmarks;

import java.util.concurrent.Future;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Tasks;

/**
 * Runs tasks on the thread that passes them, and none later.
 */
final class DirectTasks implements Tasks {

	@Override
	public void execute(Runnable task) {
		task.run();
	}

	@Override
	public Future<?> whenOver(Deadline deadline, Runnable task) {
		throw new UnsupportedOperationException("No call has a limit here");
	}

}
