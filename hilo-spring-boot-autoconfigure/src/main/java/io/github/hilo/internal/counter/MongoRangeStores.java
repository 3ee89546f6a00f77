package io.github.hilo.internal.counter;

import java.util.function.Supplier;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.internal.mongodb.DatabaseFactory;
import io.github.hilo.internal.mongodb.DriverCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Creates stores of the databases to which a factory of the synchronous driver leads.
 * Databases are resolved on the calling thread, and commands run on daemon threads.
 * Thread-safe: {@code fixed} is volatile, and the other fields are final.
 */
public final class MongoRangeStores implements RangeStores {

	private final DatabaseFactory<MongoDatabase> factory;

	private final CounterDatabases databases;

	// The store of the current database, once it is certain that the database cannot
	// change.
	private volatile @Nullable RangeStore fixed;

	public MongoRangeStores(DatabaseFactory<MongoDatabase> factory, CounterDatabases databases) {
		this.factory = factory;
		this.databases = databases;
	}

	/**
	 * Returns the stores of another factory.
	 */
	public MongoRangeStores of(DatabaseFactory<MongoDatabase> other) {
		return new MongoRangeStores(other, this.databases);
	}

	@Override
	public RangeStore current(Deadline deadline) {
		return current();
	}

	public RangeStore current() {
		RangeStore known = this.fixed;
		if (known != null) {
			return known;
		}
		MongoRangeStore store = storeOf(this.factory.currentDatabase(), this.factory::currentDatabase);
		if (isCurrentFixed()) {
			store.fixedBy(this.factory);
			this.fixed = store;
		}
		return store;
	}

	@Override
	public boolean isCurrentFixed() {
		return this.factory.isFixed();
	}

	@Override
	public RangeStore named(String database, Deadline deadline) {
		RangeStore inOtherCluster = this.databases.storeInOtherCluster(database);
		return (inOtherCluster != null) ? inOtherCluster
				: storeOf(this.factory.namedDatabase(Names.requireDatabase(database)),
						() -> this.factory.namedDatabase(database));
	}

	@Override
	public void letGo(String database) {
		this.databases.letGo(database);
	}

	@Override
	public Tasks tasks() {
		return this.databases.tasks();
	}

	@Override
	public void close() {
		this.databases.close();
	}

	private MongoRangeStore storeOf(MongoDatabase resolved, Supplier<MongoDatabase> again) {
		String name = resolved.getName();
		return this.databases.storeOf(this.factory, name, resolved, again, (cluster,
				current) -> new DriverCommands(name, current, this.databases.settings().collection(), cluster));
	}

}
