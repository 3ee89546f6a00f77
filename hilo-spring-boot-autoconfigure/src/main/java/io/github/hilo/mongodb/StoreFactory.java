package io.github.hilo.mongodb;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.hilo.store.TimeSource;
import org.bson.BsonValue;

/**
 * What the stores of all databases share, whichever driver they use.
 * <p>
 * Thread-safe: memories are in a concurrent map; executors and settings never change.
 */
final class StoreFactory {

	private final StoreSettings settings;

	private final TimeSource time;

	private final Map<String, StoreMemory> memories = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor taskThreads = DaemonThreads.pool("hilo-tasks-");

	/**
	 * Lets the JDK's timer hand a task to a thread: to start one takes a lock, which an
	 * event loop must not wait for.
	 */
	private final Executor tasks = CompletableFuture.delayedExecutor(0, TimeUnit.NANOSECONDS, this.taskThreads);

	private final ExecutorService scans = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
			new SynchronousQueue<>(), DaemonThreads.named("hilo-scan-"));

	private final Supplier<BsonValue> grants = new Grants();

	StoreFactory(StoreSettings settings, TimeSource time) {
		this.settings = settings;
		this.time = time;
	}

	MongoRangeStore store(String database, StoreCommands commands) {
		StoreMemory memory = this.memories.get(database);
		if (memory == null) {
			memory = this.memories.computeIfAbsent(database,
					(absent) -> new StoreMemory(absent, this.settings, this.time, this.tasks, this.grants));
		}
		return new MongoRangeStore(memory, commands);
	}

	String collection() {
		return this.settings.collection();
	}

	/**
	 * Runs scans of ids, each on a thread of its own: they may take minutes.
	 */
	Executor scans() {
		return this.scans;
	}

	/**
	 * Runs what may wait for a lock or for a user's listener, but for no answer.
	 */
	Executor tasks() {
		return this.tasks;
	}

	/**
	 * Ends scans, and the threads for tasks as soon as they are idle. Late tasks still
	 * run.
	 */
	void close() {
		this.scans.shutdownNow();
		this.taskThreads.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
	}

}
