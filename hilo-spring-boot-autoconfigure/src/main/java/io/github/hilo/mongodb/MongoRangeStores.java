package io.github.hilo.mongodb;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.TimeSource;

/**
 * The stores of MongoDB databases, over the synchronous driver. Internal.
 * <p>
 * Thread-safe. Databases are resolved on the calling thread; commands run on daemon
 * threads of its own, which end when they have been idle.
 *
 * @hidden
 */
public final class MongoRangeStores implements RangeStores {

	/**
	 * So many sequences can wait for a slow server before the next one has to queue.
	 */
	private static final int MAX_THREADS = 64;

	private final Supplier<MongoDatabase> current;

	private final boolean currentFixed;

	private final Function<String, MongoDatabase> named;

	private final StoreFactory factory;

	private final ExecutorService executor;

	/**
	 * Creates the stores.
	 * @param current resolves the default database on the calling thread; no session may
	 * be bound to it
	 * @param currentFixed whether that is always the same database
	 * @param named resolves a database by its name
	 * @param settings the configuration
	 * @param time the clock
	 */
	public MongoRangeStores(Supplier<MongoDatabase> current, boolean currentFixed,
			Function<String, MongoDatabase> named, StoreSettings settings, TimeSource time) {
		this.current = current;
		this.currentFixed = currentFixed;
		this.named = named;
		this.factory = new StoreFactory(settings, time);
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
	public Executor executor() {
		return this.factory.shortTasks();
	}

	@Override
	public void close() {
		this.executor.shutdown();
		this.factory.close();
	}

	private RangeStore storeOf(MongoDatabase database) {
		return this.factory.store(database.getName(),
				new DriverStoreCommands(database, this.factory.collection(), this.executor, this.factory.walks()));
	}

	/**
	 * A pool that starts a thread only where none is idle, and queues only where it has
	 * all its threads: {@link ThreadPoolExecutor} by itself does one or the other first.
	 */
	private static ExecutorService newExecutor() {
		IdleThreads queue = new IdleThreads();
		return new ThreadPoolExecutor(1, MAX_THREADS, 1, TimeUnit.MINUTES, queue, StoreFactory.daemonThreads("hilo-"),
				(task, pool) -> {
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
