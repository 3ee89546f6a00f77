package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;

import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.Timeouts;
import reactor.core.publisher.Mono;

/**
 * The stores of MongoDB databases, over the reactive driver. Internal.
 * <p>
 * Thread-safe. What the driver answers is dealt with on daemon threads of its own, which
 * end when they have been idle.
 *
 * @hidden
 */
public final class ReactiveMongoRangeStores implements RangeStores {

	private final Mono<MongoDatabase> current;

	private final boolean currentFixed;

	private final Function<String, Mono<MongoDatabase>> named;

	private final Duration timeout;

	private final StoreFactory factory;

	/**
	 * Creates the stores.
	 * @param current resolves the default database for each subscriber; no session may be
	 * bound to it
	 * @param currentFixed whether that is always the same database
	 * @param named resolves a database by its name
	 * @param settings the configuration
	 * @param time the clock
	 */
	public ReactiveMongoRangeStores(Mono<MongoDatabase> current, boolean currentFixed,
			Function<String, Mono<MongoDatabase>> named, StoreSettings settings, TimeSource time) {
		this.current = current;
		this.currentFixed = currentFixed;
		this.named = named;
		this.timeout = settings.timeout();
		this.factory = new StoreFactory(settings, time);
	}

	/**
	 * Resolves the default database, without a reactive context.
	 */
	@Override
	public RangeStore current() {
		RangeStore store = this.current.map(this::storeOf)
			.timeout(this.timeout,
					Mono.error(() -> new HiLoUnavailableException(
							"The default database was not resolved within " + Timeouts.named(this.timeout))))
			.block();
		if (store == null) {
			throw new IllegalStateException("There is no default database without a reactive context");
		}
		return store;
	}

	@Override
	public boolean isCurrentFixed() {
		return this.currentFixed;
	}

	@Override
	public RangeStore named(String database) {
		return storeOf(database, Mono.defer(() -> this.named.apply(database)));
	}

	/**
	 * Finds the store of a database that a caller has resolved.
	 * @param database the database
	 * @return its store
	 */
	public RangeStore storeOf(MongoDatabase database) {
		return this.currentFixed ? named(database.getName()) : storeOf(database.getName(), Mono.just(database));
	}

	@Override
	public Executor executor() {
		return this.factory.tasks();
	}

	@Override
	public void close() {
		this.factory.close();
	}

	private RangeStore storeOf(String name, Mono<MongoDatabase> database) {
		return this.factory.store(name, new ReactiveStoreCommands(database, this.factory.collection(),
				this.factory.tasks(), this.factory.scans()));
	}

}
