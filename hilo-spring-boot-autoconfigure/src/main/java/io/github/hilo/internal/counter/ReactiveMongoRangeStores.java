package io.github.hilo.internal.counter;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.mongodb.DatabaseFactory;
import io.github.hilo.internal.mongodb.ReactiveCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.Tasks;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Creates stores of the databases to which a factory of the reactive driver leads.
 * Answers of the driver are handled on daemon threads. Thread-safe: all fields are final.
 */
public final class ReactiveMongoRangeStores implements RangeStores {

	private final DatabaseFactory<Mono<MongoDatabase>> factory;

	private final CounterDatabases databases;

	private final Mono<RangeStore> current;

	public ReactiveMongoRangeStores(DatabaseFactory<Mono<MongoDatabase>> factory, CounterDatabases databases) {
		this.factory = factory;
		this.databases = databases;
		this.current = onceIfFixed(factory::currentDatabase);
	}

	/**
	 * Returns the stores of another factory.
	 */
	public ReactiveMongoRangeStores of(DatabaseFactory<Mono<MongoDatabase>> other) {
		return new ReactiveMongoRangeStores(other, this.databases);
	}

	@Override
	public RangeStore current(Deadline deadline) {
		return await(this.current, deadline, "There is no default database without a reactive context");
	}

	@Override
	public boolean isCurrentFixed() {
		return this.factory.isFixed();
	}

	@Override
	public RangeStore named(String database, Deadline deadline) {
		return await(resolve(database), deadline, "The ReactiveMongoDatabaseFactory gave no database");
	}

	private static RangeStore await(Mono<RangeStore> resolved, Deadline deadline, String messageIfEmpty) {
		try {
			// Not by Mono.timeout, whose threads the application can block.
			return resolved.blockOptional(deadline.left()).orElseThrow(() -> new IllegalStateException(messageIfEmpty));
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

	/**
	 * Resolves a database by its name for each subscriber.
	 */
	public Mono<RangeStore> resolve(String database) {
		RangeStore inOtherCluster = this.databases.storeInOtherCluster(database);
		if (inOtherCluster != null) {
			return Mono.just(inOtherCluster);
		}
		Names.requireDatabase(database);
		return onceIfFixed(() -> this.factory.namedDatabase(database));
	}

	/**
	 * Resolves the database of each subscriber.
	 */
	public Mono<RangeStore> resolve() {
		return this.current;
	}

	/**
	 * Resolves a store, once only if it is certain that its database cannot change.
	 */
	private Mono<RangeStore> onceIfFixed(Supplier<Mono<MongoDatabase>> database) {
		AtomicReference<@Nullable RangeStore> fixed = new AtomicReference<>();
		return Mono.defer(() -> {
			RangeStore known = fixed.get();
			return (known != null) ? Mono.just(known) : database.get().map((resolved) -> {
				MongoRangeStore store = storeOf(resolved, database);
				if (isCurrentFixed()) {
					store.fixedBy(this.factory);
					fixed.set(store);
				}
				return store;
			});
		});
	}

	private MongoRangeStore storeOf(MongoDatabase resolved, Supplier<Mono<MongoDatabase>> again) {
		String name = resolved.getName();
		return this.databases.storeOf(this.factory, name, Mono.just(resolved), again,
				(cluster, current) -> new ReactiveCommands(name, Mono.defer(current),
						this.databases.settings().collection(), cluster, this.databases.tasks()));
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

}
