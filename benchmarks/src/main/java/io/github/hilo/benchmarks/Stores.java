package io.github.hilo.benchmarks;

import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterSettings;
import io.github.hilo.internal.counter.CounterDatabases;
import io.github.hilo.internal.counter.MongoRangeStores;
import io.github.hilo.internal.mongodb.DatabaseFactory;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

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
		return new MongoRangeStores(new OneDatabase(database),
				new CounterDatabases(settings, TimeSource.SYSTEM, () -> null));
	}

	private record OneDatabase(MongoDatabase database) implements DatabaseFactory<MongoDatabase> {

		@Override
		public MongoDatabase currentDatabase() {
			return this.database;
		}

		@Override
		public MongoDatabase namedDatabase(String name) {
			return this.database;
		}

		@Override
		public @Nullable ClusterSettings cluster() {
			return null;
		}

		@Override
		public boolean hasFixedName() {
			return true;
		}

		@Override
		public boolean isFixed() {
			return true;
		}

		@Override
		public boolean isDefault() {
			return true;
		}

	}

}
