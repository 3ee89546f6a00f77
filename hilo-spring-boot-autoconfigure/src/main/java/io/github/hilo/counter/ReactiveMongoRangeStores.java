package io.github.hilo.counter;

import java.time.Duration;
import java.util.concurrent.Executor;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.mongodb.Cluster;
import io.github.hilo.mongodb.Databases;
import io.github.hilo.mongodb.ReactiveStoreCommands;
import io.github.hilo.store.Deadline;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.text.Names;
import io.github.hilo.text.Timeouts;
import reactor.core.publisher.Mono;

/**
 * The stores of MongoDB databases, over the reactive driver. Internal. What the driver
 * answers is dealt with on daemon threads.
 *
 * @hidden
 */
public final class ReactiveMongoRangeStores implements RangeStores {

	private final Databases<Mono<MongoDatabase>, Mono<MongoClient>> databases;

	private final StoreContext context;

	public ReactiveMongoRangeStores(Databases<Mono<MongoDatabase>, Mono<MongoClient>> databases, StoreContext context) {
		this.databases = databases;
		this.context = context;
	}

	/**
	 * Resolves the default database, without a reactive context.
	 */
	@Override
	public RangeStore current(Deadline deadline) {
		RangeStore store;
		try {
			store = resolve(this.databases).block(deadline.left());
		}
		catch (IllegalStateException ex) {
			if (deadline.isOver()) {
				throw new HiLoUnavailableException(
						"The default database was not resolved within " + Timeouts.named(deadline.whole()), ex);
			}
			throw ex;
		}
		if (store == null) {
			throw new IllegalStateException("There is no default database without a reactive context");
		}
		return store;
	}

	@Override
	public boolean isCurrentFixed() {
		return this.databases.fixed().getAsBoolean();
	}

	@Override
	public RangeStore named(String database) {
		RangeStore elsewhere = this.context.elsewhere(database);
		return (elsewhere != null) ? elsewhere : storeOf(Names.requireDatabase(database), this.context.untold(null),
				Mono.defer(() -> this.databases.named().apply(database)));
	}

	/**
	 * Resolves the default database for each subscriber, nothing if there is none.
	 */
	public Mono<RangeStore> resolve() {
		return resolve(this.databases);
	}

	/**
	 * Resolves another database for each subscriber, nothing if there is none.
	 */
	public Mono<RangeStore> resolve(Databases<Mono<MongoDatabase>, Mono<MongoClient>> databases) {
		return Mono.defer(databases.current())
			.flatMap((database) -> Mono.defer(databases.client())
				.map((client) -> this.context.clusterOf(client, client::getClusterDescription))
				.switchIfEmpty(Mono.fromSupplier(() -> this.context.untold(databases.origin())))
				.map((cluster) -> storeOf(database.getName(), cluster,
						databases.fixed().getAsBoolean() ? Mono.defer(databases.current()) : Mono.just(database))));
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

	private RangeStore storeOf(String name, Cluster cluster, Mono<MongoDatabase> database) {
		return this.context.store(name, cluster, new ReactiveStoreCommands(database,
				this.context.settings().collection(), this.context.tasks(), this.context.scans()));
	}

}
