package io.github.hilo.mongodb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.RangeStore;
import io.github.hilo.RangeStores;
import io.github.hilo.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The stores of MongoDB databases, over the synchronous driver. Internal.
 * <p>
 * Thread-safe. Databases are resolved on the calling thread; commands run on daemon
 * threads of its own, which end when they have been idle.
 */
public final class MongoRangeStores implements RangeStores {

	/**
	 * So many sequences can wait for a slow server before the next one has to queue.
	 */
	private static final int MAX_THREADS = 64;

	private final Supplier<MongoDatabase> current;

	private final boolean currentFixed;

	private final Function<String, MongoDatabase> named;

	private final String collection;

	private final String idPrefix;

	private final boolean honourServerPrefix;

	private final TimeSource time;

	private final ExecutorService executor;

	private final Map<String, ServerPrefix> serverPrefixes = new ConcurrentHashMap<>();

	/**
	 * Creates the stores.
	 * @param current resolves the default database on the calling thread; no session may
	 * be bound to it
	 * @param currentFixed whether that is always the same database
	 * @param named resolves a database by its name
	 * @param collection the name of the collection of the counter documents
	 * @param idPrefix what precedes a sequence's name in a counter's {@code _id}
	 * @param honourServerPrefix whether document ids carry the server prefix
	 * @param time the clock
	 */
	public MongoRangeStores(Supplier<MongoDatabase> current, boolean currentFixed,
			Function<String, MongoDatabase> named, String collection, String idPrefix, boolean honourServerPrefix,
			TimeSource time) {
		this.current = current;
		this.currentFixed = currentFixed;
		this.named = named;
		this.collection = collection;
		this.idPrefix = idPrefix;
		this.honourServerPrefix = honourServerPrefix;
		this.time = time;
		this.executor = newExecutor();
	}

	@Override
	public RangeStore current() {
		return storeOf(this.current.get());
	}

	@Override
	public boolean isCurrentFixed() {
		return this.currentFixed;
	}

	@Override
	public RangeStore named(String database) {
		return storeOf(this.named.apply(database));
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

	private RangeStore storeOf(MongoDatabase database) {
		String name = database.getName();
		@Nullable ServerPrefix serverPrefix = this.honourServerPrefix
				? this.serverPrefixes.computeIfAbsent(name, (absent) -> new ServerPrefix(this.time)) : null;
		return new MongoRangeStore(name, this.collection, this.idPrefix,
				new DriverCounterCommands(database, this.collection, this.executor), serverPrefix, this.time);
	}

	/**
	 * A pool that starts a thread only where none is idle, and queues only where it has
	 * all its threads: {@link ThreadPoolExecutor} by itself does one or the other first.
	 */
	private static ExecutorService newExecutor() {
		AtomicInteger number = new AtomicInteger();
		IdleThreads queue = new IdleThreads();
		return new ThreadPoolExecutor(1, MAX_THREADS, 1, TimeUnit.MINUTES, queue, (task) -> {
			// Inherits nothing from the caller that happens to be the first.
			Thread thread = new Thread(null, task, "hilo-" + number.incrementAndGet(), 0, false);
			thread.setDaemon(true);
			return thread;
		}, (task, pool) -> {
			if (pool.isShutdown()) {
				throw new RejectedExecutionException("The HiLo id generator is closed");
			}
			queue.put(task);
		});
	}

	/**
	 * A queue that is offered a task only where a thread waits for one.
	 */
	private static final class IdleThreads extends LinkedTransferQueue<Runnable> {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean offer(Runnable task) {
			return tryTransfer(task);
		}

	}

}
