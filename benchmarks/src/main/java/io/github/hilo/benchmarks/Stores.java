package io.github.hilo.benchmarks;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.internal.counter.CounterClusters;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.internal.mongodb.FactoryDatabases;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.TimeSource;

/**
 * Stores of one database.
 */
final class Stores {

	private Stores() {
	}

	/**
	 * Makes stores over the synchronous driver.
	 * @param database the database, whatever its name
	 * @param settings the configuration
	 * @return the stores
	 */
	static MongoRangeStores of(MongoDatabase database, CounterSettings settings) {
		return new MongoRangeStores(
				new FactoryDatabases<>(() -> database, (name) -> database, () -> true, () -> true, () -> null),
				new CounterClusters(settings, TimeSource.SYSTEM, () -> null));
	}

}
