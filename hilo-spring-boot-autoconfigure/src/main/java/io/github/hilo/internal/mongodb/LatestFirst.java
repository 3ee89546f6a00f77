package io.github.hilo.internal.mongodb;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Runs the latest of the waiting tasks first. Where commands to some collections are not
 * answered, they use all threads and their queue gets long. A command to another
 * collection then waits for the next thread that is free, and not behind that queue.
 * Thread-safe: both fields are final and thread-safe.
 */
final class LatestFirst implements Executor {

	private final ThreadPoolExecutor threads;

	private final Deque<Runnable> waiting = new ConcurrentLinkedDeque<>();

	LatestFirst(ThreadPoolExecutor threads) {
		this.threads = threads;
	}

	@Override
	public void execute(Runnable task) {
		this.waiting.addFirst(task);
		// There are never fewer tasks than runs.
		this.threads.execute(() -> this.waiting.removeFirst().run());
	}

	void shutdown() {
		this.threads.shutdown();
	}

}
