package io.github.hilo.internal.counter;

import java.util.function.Supplier;

import com.mongodb.connection.ClusterSettings;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.FactoryDatabases;
import io.github.hilo.internal.mongodb.ReactiveCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;
import reactor.core.publisher.Mono;

/**
 * Resolves MongoDB databases over the reactive driver, and creates their stores. Answers
 * of the driver are handled on daemon threads. Thread-safe: both fields are final.
 */
public final class ReactiveMongoRangeStores implements RangeStores {

	private final FactoryDatabases<Mono<MongoDatabase>> databases;

	private final CounterClusters context;

	public ReactiveMongoRangeStores(FactoryDatabases<Mono<MongoDatabase>> databases, CounterClusters context) {
		this.databases = databases;
		this.context = context;
	}

	@Override
	public RangeStore current(Deadline deadline) {
		return await(resolve(), deadline, "There is no default database without a reactive context");
	}

	@Override
	public boolean isCurrentFixed() {
		return this.databases.fixed().getAsBoolean();
	}

	@Override
	public RangeStore named(String database, Deadline deadline) {
		return await(resolve(database), deadline, "The ReactiveMongoDatabaseFactory gave no database");
	}

	private static RangeStore await(Mono<RangeStore> resolved, Deadline deadline, String none) {
		try {
			// Not by Mono.timeout, whose threads the application can block.
			return resolved.blockOptional(deadline.left()).orElseThrow(() -> new IllegalStateException(none));
		}
		catch (IllegalStateException ex) {
			// blockOptional also throws this exception when its time is over.
			if (deadline.isOver()) {
				throw new HiLoUnavailableException(
						"The database was not resolved within " + Timeouts.named(deadline.whole()), ex);
			}
			throw ex;
		}
	}

	public Mono<RangeStore> resolve(String database) {
		RangeStore elsewhere = this.context.elsewhere(database);
		if (elsewhere != null) {
			return Mono.just(elsewhere);
		}
		Names.requireDatabase(database);
		return storeOf(this.databases, () -> this.databases.named().apply(database)).cast(RangeStore.class);
	}

	public Mono<RangeStore> resolve() {
		return storeOf(this.databases, this.databases.current())
			.map((store) -> (store.isKept() && isCurrentFixed()) ? store.ofDefault() : store);
	}

	public Mono<RangeStore> resolve(FactoryDatabases<Mono<MongoDatabase>> databases) {
		return storeOf(databases, databases.current()).cast(RangeStore.class);
	}

	/**
	 * Resolves a store of the subscriber's database. Each command of the store resolves
	 * the database again, for the reason that {@link MongoRangeStores} gives.
	 */
	private Mono<MongoRangeStore> storeOf(FactoryDatabases<Mono<MongoDatabase>> databases,
			Supplier<Mono<MongoDatabase>> database) {
		return Mono.defer(database).map((resolved) -> {
			ClusterSettings client = databases.cluster().get();
			Cluster cluster = this.context.clusterOf(client);
			boolean same = databases.sameName().getAsBoolean();
			Mono<MongoDatabase> used = Mono.defer(() -> (same && cluster.equals(this.context.clusterOf(databases)))
					? database.get() : Mono.just(resolved));
			return this.context.store(resolved.getName(), cluster, (client != null) ? client : cluster, same,
					new ReactiveCommands(resolved.getName(), used, this.context.settings().collection(), cluster,
							this.context.tasks()));
		});
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

}
