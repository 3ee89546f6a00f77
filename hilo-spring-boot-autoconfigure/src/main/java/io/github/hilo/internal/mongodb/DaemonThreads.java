package io.github.hilo.internal.mongodb;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Pools of threads that do not keep the JVM alive, inherit nothing from the thread that
 * starts them, and end when they have been idle for a minute.
 */
final class DaemonThreads {

	private DaemonThreads() {
	}

	static ThreadFactory named(String name) {
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			Thread thread = new Thread(null, task, name + number.incrementAndGet(), 0, false);
			thread.setDaemon(true);
			return thread;
		};
	}

	/**
	 * Creates a pool that starts a thread only if none is idle, and queues a task only if
	 * the pool has all its threads. A plain {@link ThreadPoolExecutor} does one or the
	 * other first.
	 */
	static ThreadPoolExecutor pool(String name, int most) {
		IdleThreads queue = new IdleThreads();
		return new ThreadPoolExecutor(0, most, 1, TimeUnit.MINUTES, queue, named(name), (task, pool) -> {
			if (pool.isShutdown()) {
				throw new RejectedExecutionException("The HiLo id generator is closed");
			}
			queue.put(task);
		});
	}

	/**
	 * A queue that accepts an offered task only if a thread waits for one.
	 */
	private static final class IdleThreads extends LinkedTransferQueue<Runnable> {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean offer(Runnable task) {
			return tryTransfer(task);
		}

	}

}
