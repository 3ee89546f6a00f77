package io.github.hilo.benchmarks;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.counter.MongoRangeStores;
import io.github.hilo.counter.StoreContext;
import io.github.hilo.mongodb.Databases;
import io.github.hilo.store.StoreSettings;
import io.github.hilo.store.TimeSource;

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
		return new MongoRangeStores(new Databases<>(() -> database, (name) -> database, () -> true, () -> true, () -> null, () -> true, () -> null),
				new StoreContext(settings, TimeSource.SYSTEM, () -> null));
	}

}
