package io.github.hilo.counter;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.mongodb.Cluster;
import io.github.hilo.mongodb.Databases;
import io.github.hilo.mongodb.DriverStoreCommands;
import io.github.hilo.store.Deadline;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * The stores of MongoDB databases, over the synchronous driver. Internal. Databases are
 * resolved on the calling thread; commands run on daemon threads.
 *
 * @hidden
 */
public final class MongoRangeStores implements RangeStores {

	private final Databases<MongoDatabase, @Nullable MongoClient> databases;

	private final StoreContext context;

	public MongoRangeStores(Databases<MongoDatabase, @Nullable MongoClient> databases, StoreContext context) {
		this.databases = databases;
		this.context = context;
	}

	@Override
	public RangeStore current(Deadline deadline) {
		return current(this.databases);
	}

	/**
	 * Resolves another database than the default one, on the calling thread.
	 */
	public RangeStore current(Databases<MongoDatabase, @Nullable MongoClient> databases) {
		return storeOf(databases, databases.current());
	}

	@Override
	public boolean isCurrentFixed() {
		return this.databases.fixed().getAsBoolean();
	}

	@Override
	public RangeStore named(String database) {
		RangeStore elsewhere = this.context.elsewhere(database);
		return (elsewhere != null) ? elsewhere
				: storeOf(this.databases, () -> this.databases.named().apply(Names.requireDatabase(database)));
	}

	@Override
	public Executor executor() {
		return this.context.tasks();
	}

	@Override
	public Runnable after(Duration delay, Runnable task) {
		return this.context.tasks().after(delay, this.context.tasks(), task);
	}

	@Override
	public void close() {
		this.context.close();
	}

	/**
	 * Where each caller has a database of its own, that of this caller is kept. Otherwise
	 * only its name is: the client may be replaced.
	 */
	private RangeStore storeOf(Databases<MongoDatabase, @Nullable MongoClient> databases,
			Supplier<MongoDatabase> database) {
		MongoDatabase resolved = database.get();
		MongoClient client = databases.client().get();
		Cluster cluster = (client != null) ? this.context.clusterOf(client, client::getClusterDescription)
				: this.context.untold(databases.origin());
		boolean fixed = databases.fixed().getAsBoolean();
		return this.context.store(resolved.getName(), cluster,
				new DriverStoreCommands(fixed ? database : () -> resolved, this.context.settings().collection(),
						cluster.threadsOf(resolved.getName(), fixed), this.context.tasks(), this.context.scans()));
	}

}
