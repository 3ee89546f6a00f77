package io.github.hilo.autoconfigure;

import java.util.function.Supplier;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.internal.counter.CounterDatabases;
import io.github.hilo.internal.counter.ReactiveMongoRangeStores;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.internal.save.ReactiveGeneratorDatabase;
import io.github.hilo.internal.save.SavedTo;
import io.github.hilo.internal.save.TemplateDatabases;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

/**
 * Finds the databases of reactive templates, as {@link BlockingTemplateDatabases} finds
 * those of blocking ones.
 */
final class ReactiveTemplateDatabases implements
		TemplateDatabases<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory, ReactiveHiLoIdGenerator, Mono<SavedTo<ReactiveHiLoIdGenerator>>> {

	private final Supplier<ReactiveHiLoIdGenerator> generator;

	private final DriverFactories<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory, MongoClient, Mono<MongoDatabase>> factories;

	private final @Nullable ReactiveMongoRangeStores stores;

	private final Supplier<Boolean> areOneDatabase;

	ReactiveTemplateDatabases(Supplier<ReactiveHiLoIdGenerator> generator,
			DriverFactories<ReactiveMongoTemplate, ReactiveMongoDatabaseFactory, MongoClient, Mono<MongoDatabase>> factories,
			@Nullable ReactiveMongoRangeStores stores) {
		this.generator = generator;
		this.factories = factories;
		this.stores = stores;
		this.areOneDatabase = new OnceSupplied<>(() -> factories.areOneDatabase(this::databaseNameIfAtOnce));
	}

	/**
	 * Returns the name of a factory's database, or an object that equals no other if the
	 * name is not there at once.
	 */
	private Object databaseNameIfAtOnce(ReactiveMongoDatabaseFactory factory) {
		Mono<String> name = (this.stores != null)
				? this.stores.of(this.factories.of(factory)).resolve().map(RangeStore::database)
				: factory.getMongoDatabase().map(MongoDatabase::getName);
		return name.cast(Object.class).toFuture().getNow(name);
	}

	@Override
	public @Nullable ReactiveMongoDatabaseFactory factoryOf(ReactiveMongoTemplate template) {
		return template.getMongoDatabaseFactory();
	}

	@Override
	public boolean isDefault(ReactiveMongoDatabaseFactory factory) {
		return this.factories.isDefault(factory);
	}

	@Override
	public boolean areOneDatabase() {
		return this.areOneDatabase.get();
	}

	@Override
	public Mono<SavedTo<ReactiveHiLoIdGenerator>> ofDefault() {
		SavedTo<ReactiveHiLoIdGenerator> unknown = new SavedTo<>(null, this.generator);
		return (this.stores != null)
				? this.stores.resolve().map((store) -> new SavedTo<>(store, this.generator)).defaultIfEmpty(unknown)
				: Mono.just(unknown);
	}

	@Override
	public Supplier<Mono<SavedTo<ReactiveHiLoIdGenerator>>> of(ReactiveMongoDatabaseFactory factory) {
		if (this.stores == null) {
			return () -> factory.getMongoDatabase()
				.map((database) -> new SavedTo<>(null, () -> this.generator.get().forDatabase(database.getName())));
		}
		ReactiveMongoRangeStores there = this.stores.of(this.factories.of(factory));
		return () -> there.resolve().map((store) -> new SavedTo<>(store, () -> generatorOf(store)));
	}

	private ReactiveHiLoIdGenerator generatorOf(RangeStore store) {
		ReactiveHiLoIdGenerator found = this.generator.get();
		return (DefaultReactiveHiLoIdGenerator.own(found) != null) ? found
				: found.forDatabase(CounterDatabases.registerByName(store));
	}

	@Override
	public ReactiveGeneratorDatabase ofGenerator(ReactiveHiLoIdGenerator other) {
		return new ReactiveGeneratorDatabase(() -> other);
	}

}
