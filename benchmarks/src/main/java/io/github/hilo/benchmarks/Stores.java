package io.github.hilo.benchmarks;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.internal.counter.StoreContext;
import io.github.hilo.internal.mongodb.Databases;
import io.github.hilo.internal.store.StoreSettings;
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
	static MongoRangeStores of(MongoDatabase database, StoreSettings settings) {
		return new MongoRangeStores(
				new Databases<>(() -> database, (name) -> database, () -> true, () -> true, () -> null),
				new StoreContext(settings, TimeSource.SYSTEM, () -> null));
	}

}
