package io.github.hilo.benchmarks;

import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.mongodb.Databases;
import io.github.hilo.mongodb.MongoRangeStores;
import io.github.hilo.mongodb.StoreFactory;
import io.github.hilo.mongodb.StoreSettings;
import io.github.hilo.store.TimeSource;

/**
 * Stores of the databases of one client.
 */
final class Stores {

	private Stores() {
	}

	/**
	 * Makes stores over the synchronous driver.
	 * @param current resolves the default database
	 * @param fixed whether that is always the same one
	 * @param named resolves a database by its name
	 * @param settings the configuration
	 * @param time the clock
	 * @return the stores
	 */
	static MongoRangeStores blocking(Supplier<MongoDatabase> current, boolean fixed,
			Function<String, MongoDatabase> named, StoreSettings settings, TimeSource time) {
		return new MongoRangeStores(new Databases<>(current, () -> fixed, named, () -> null),
				new StoreFactory(settings, time, () -> null));
	}

}
