package io.github.hilo.mongodb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.RangeStore;
import io.github.hilo.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What the stores of all databases share, whichever driver they use.
 * <p>
 * Thread-safe.
 */
final class StoreFactory {

	private final String collection;

	private final String idPrefix;

	private final boolean honourServerPrefix;

	private final TimeSource time;

	private final Map<String, ServerPrefix> serverPrefixes = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor shortTasks = newShortTasks();

	StoreFactory(String collection, String idPrefix, boolean honourServerPrefix, TimeSource time) {
		this.collection = collection;
		this.idPrefix = idPrefix;
		this.honourServerPrefix = honourServerPrefix;
		this.time = time;
	}

	RangeStore store(String database, CounterCommands commands) {
		@Nullable ServerPrefix serverPrefix = this.honourServerPrefix
				? this.serverPrefixes.computeIfAbsent(database, (absent) -> new ServerPrefix(this.time)) : null;
		return new MongoRangeStore(database, this.collection, this.idPrefix, commands, serverPrefix, this.time);
	}

	String collection() {
		return this.collection;
	}

	/**
	 * Runs short tasks on one thread of its own.
	 */
	Executor shortTasks() {
		return this.shortTasks;
	}

	/**
	 * Ends the thread as soon as it is idle. Late tasks still run.
	 */
	void close() {
		this.shortTasks.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
	}

	/**
	 * One thread at most, and a queue that takes tasks without a lock: event loops hand
	 * tasks over.
	 */
	private static ThreadPoolExecutor newShortTasks() {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedTransferQueue<>(),
				daemonThreads("hilo-tasks-"));
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	/**
	 * Threads that keep no JVM alive and inherit nothing from the caller that happens to
	 * be the first.
	 */
	static ThreadFactory daemonThreads(String name) {
		AtomicInteger number = new AtomicInteger();
		return (task) -> {
			Thread thread = new Thread(null, task, name + number.incrementAndGet(), 0, false);
			thread.setDaemon(true);
			return thread;
		};
	}

}
