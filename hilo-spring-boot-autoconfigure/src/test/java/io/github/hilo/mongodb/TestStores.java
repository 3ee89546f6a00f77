package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScopes;
import io.github.hilo.store.TimeSource;
import org.bson.BsonValue;

/**
 * Stores over commands that a test has made.
 */
final class TestStores {

	private TestStores() {
	}

	/**
	 * Makes a store that checks no stored ids.
	 */
	static MongoRangeStore over(String database, StoreCommands commands) {
		return new MongoRangeStore(
				memory(database, (name, sequence) -> StoredIdScope.NONE, TimeSource.SYSTEM, new Grants()), commands);
	}

	/**
	 * Makes what the stores of one process share.
	 */
	static StoreMemory memory(String database, StoredIdScopes scopes, TimeSource time, Supplier<BsonValue> grants) {
		return new StoreMemory(database, settings(scopes), time, Runnable::run, grants,
				new UnknownNames(time, Runnable::run));
	}

	private static StoreSettings settings(StoredIdScopes scopes) {
		return new StoreSettings("@hilo", "Raven/HiLo/", false, "/", "A", Duration.ofSeconds(10), scopes);
	}

}
