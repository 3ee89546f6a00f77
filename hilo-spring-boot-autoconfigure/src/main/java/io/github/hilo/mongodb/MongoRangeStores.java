package io.github.hilo.mongodb;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
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
		this.executor = DaemonThreads.pool("hilo-");
	}

	@Override
	public RangeStore current() {
		return storeOf(this.current);
	}

	@Override
	public boolean isCurrentFixed() {
		return this.currentFixed;
	}

	@Override
	public RangeStore named(String database) {
		return storeOf(() -> this.named.apply(database));
	}

	@Override
	public Executor executor() {
		return this.factory.tasks();
	}

	@Override
	public void close() {
		this.executor.shutdown();
		this.factory.close();
	}

	/**
	 * Where each caller has a database of its own, that of this caller is kept. Otherwise
	 * only its name is: the client may be replaced.
	 */
	private RangeStore storeOf(Supplier<MongoDatabase> database) {
		MongoDatabase resolved = database.get();
		return this.factory.store(resolved.getName(),
				new DriverStoreCommands(this.currentFixed ? database : () -> resolved, this.factory.collection(),
						this.executor, this.factory.scans()));
	}

}
