package io.github.hilo.mongodb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.store.TimeSource;

/**
 * What the stores of all databases share, whichever driver they use.
 * <p>
 * Thread-safe: memories are in a concurrent map; executors and settings never change.
 */
final class StoreFactory {

	private final StoreSettings settings;

	private final TimeSource time;

	private final Map<String, StoreMemory> memories = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor shortTasks = newShortTasks();

	private final ExecutorService walks = newWalks();

	StoreFactory(StoreSettings settings, TimeSource time) {
		this.settings = settings;
		this.time = time;
	}

	MongoRangeStore store(String database, StoreCommands commands) {
		StoreMemory memory = this.memories.get(database);
		if (memory == null) {
			memory = this.memories.computeIfAbsent(database,
					(absent) -> new StoreMemory(absent, this.settings, this.time, this.shortTasks));
		}
		return new MongoRangeStore(memory, commands);
	}

	String collection() {
		return this.settings.collection();
	}

	/**
	 * Runs walks over ids, each on a thread of its own: they may take minutes.
	 */
	Executor walks() {
		return this.walks;
	}

	/**
	 * Runs short tasks on one thread of its own.
	 */
	Executor shortTasks() {
		return this.shortTasks;
	}

	/**
	 * Ends walks, and the thread for short tasks as soon as it is idle. Late short tasks
	 * still run.
	 */
	void close() {
		this.walks.shutdownNow();
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

	private static ExecutorService newWalks() {
		return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(),
				daemonThreads("hilo-walk-"));
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
