package io.github.hilo.internal.counter;

import java.util.function.Supplier;

import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.DriverCommands;
import io.github.hilo.internal.mongodb.FactoryDatabases;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.text.Names;

/**
 * Resolves MongoDB databases over the synchronous driver, and creates their stores.
 * Databases are resolved on the calling thread, and commands run on daemon threads.
 * Thread-safe: both fields are final.
 */
public final class MongoRangeStores implements RangeStores {

	private final FactoryDatabases<MongoDatabase> databases;

	private final CounterClusters context;

	public MongoRangeStores(FactoryDatabases<MongoDatabase> databases, CounterClusters context) {
		this.databases = databases;
		this.context = context;
	}

	@Override
	public RangeStore current(Deadline deadline) {
		MongoRangeStore store = storeOf(this.databases, this.databases.current());
		return (store.isKept() && isCurrentFixed()) ? store.ofDefault() : store;
	}

	public RangeStore current(FactoryDatabases<MongoDatabase> databases) {
		return storeOf(databases, databases.current());
	}

	@Override
	public boolean isCurrentFixed() {
		return this.databases.fixed().getAsBoolean();
	}

	@Override
	public RangeStore named(String database, Deadline deadline) {
		RangeStore elsewhere = this.context.elsewhere(database);
		return (elsewhere != null) ? elsewhere
				: storeOf(this.databases, () -> this.databases.named().apply(Names.requireDatabase(database)));
	}

	@Override
	public void letGo(String database) {
		this.context.letGo(database);
	}

	@Override
	public Tasks tasks() {
		return this.context.tasks();
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Returns a store of the caller's database. If all callers have a database of the
	 * same name and the factory still leads to the same cluster, each command resolves
	 * the database again, because the client may have been replaced.
	 */
	private MongoRangeStore storeOf(FactoryDatabases<MongoDatabase> databases, Supplier<MongoDatabase> database) {
		MongoDatabase resolved = database.get();
		ClusterSettings client = databases.cluster().get();
		Cluster cluster = this.context.clusterOf(client);
		boolean same = databases.sameName().getAsBoolean();
		return this.context.store(resolved.getName(), cluster, (client != null) ? client : cluster, same,
				new DriverCommands(resolved.getName(),
						() -> (same && cluster.equals(this.context.clusterOf(databases))) ? database.get() : resolved,
						this.context.settings().collection(), cluster));
	}

}
