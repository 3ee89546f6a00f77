package io.github.hilo.internal.mongodb;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that do not keep the JVM alive, and inherit nothing from the thread that starts
 * them.
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
	 * Creates a pool that starts a thread if none is idle, and ends those that have been
	 * idle for a minute. Whoever uses it bounds the tasks.
	 */
	static ThreadPoolExecutor pool(String name) {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), named(name));
	}

}
