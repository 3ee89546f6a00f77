package io.github.hilo.autoconfigure;

import java.util.function.Supplier;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.counter.CounterDatabases;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.save.GeneratorDatabase;
import io.github.hilo.internal.save.SavedTo;
import io.github.hilo.internal.save.TemplateDatabases;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * Finds the databases of blocking templates. If the generator is the application's,
 * {@code stores} and {@code engine} are {@code null}, and the generator is asked for
 * other databases by their names. Thread-safe: all fields are final.
 */
final class BlockingTemplateDatabases
		implements TemplateDatabases<MongoTemplate, MongoDatabaseFactory, HiLoIdGenerator, SavedTo<HiLoIdGenerator>> {

	private final Supplier<HiLoIdGenerator> generator;

	private final DriverFactories<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> factories;

	private final @Nullable MongoRangeStores stores;

	private final @Nullable HiLoEngine engine;

	private final Supplier<Boolean> areOneDatabase;

	BlockingTemplateDatabases(Supplier<HiLoIdGenerator> generator,
			DriverFactories<MongoTemplate, MongoDatabaseFactory, MongoClient, MongoDatabase> factories,
			@Nullable MongoRangeStores stores, @Nullable HiLoEngine engine) {
		this.generator = generator;
		this.factories = factories;
		this.stores = stores;
		this.engine = engine;
		this.areOneDatabase = new OnceSupplied<>(() -> factories.areOneDatabase(this::databaseNameOf));
	}

	private String databaseNameOf(MongoDatabaseFactory factory) {
		return (this.stores != null) ? this.stores.of(this.factories.of(factory)).current().database()
				: factory.getMongoDatabase().getName();
	}

	@Override
	public @Nullable MongoDatabaseFactory factoryOf(MongoTemplate template) {
		return template.getMongoDatabaseFactory();
	}

	@Override
	public boolean isDefault(MongoDatabaseFactory factory) {
		return this.factories.isDefault(factory);
	}

	@Override
	public boolean areOneDatabase() {
		return this.areOneDatabase.get();
	}

	@Override
	public SavedTo<HiLoIdGenerator> ofDefault() {
		return new SavedTo<>((this.stores != null) ? this.stores.current() : null, this.generator);
	}

	@Override
	public Supplier<SavedTo<HiLoIdGenerator>> of(MongoDatabaseFactory factory) {
		if (this.stores == null) {
			return () -> new SavedTo<>(null, () -> this.generator.get().forDatabase(databaseNameOf(factory)));
		}
		MongoRangeStores there = this.stores.of(this.factories.of(factory));
		return () -> {
			RangeStore store = there.current();
			return new SavedTo<>(store, () -> generatorOf(store));
		};
	}

	/**
	 * Returns the generator of a database. Ours gets the store with each call. A
	 * generator of the application finds the database only by its name.
	 */
	private HiLoIdGenerator generatorOf(RangeStore store) {
		HiLoIdGenerator found = this.generator.get();
		return HiLoEngine.isOwn(found) ? found : found.forDatabase(CounterDatabases.registerByName(store));
	}

	@Override
	public GeneratorDatabase ofGenerator(HiLoIdGenerator other) {
		return new GeneratorDatabase(() -> other, this.engine);
	}

}
