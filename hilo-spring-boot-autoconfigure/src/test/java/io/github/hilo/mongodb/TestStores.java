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
		return over(database, commands, (name, sequence) -> StoredIdScope.NONE, TimeSource.SYSTEM);
	}

	static MongoRangeStore over(String database, StoreCommands commands, StoredIdScopes scopes, TimeSource time) {
		return new MongoRangeStore(memory(database, false, scopes, time), commands);
	}

	/**
	 * Makes what the stores of one process share.
	 */
	static StoreMemory memory(String database, StoredIdScopes scopes, TimeSource time, Supplier<BsonValue> grants) {
		return new StoreMemory(database, settings(false, scopes), time, Runnable::run, grants);
	}

	/**
	 * Makes a store that honours the server prefix.
	 */
	static MongoRangeStore withServerPrefix(String database, StoreCommands commands) {
		return new MongoRangeStore(memory(database, true, (name, sequence) -> StoredIdScope.NONE, TimeSource.SYSTEM),
				commands);
	}

	private static StoreMemory memory(String database, boolean honourServerPrefix, StoredIdScopes scopes,
			TimeSource time) {
		return new StoreMemory(database, settings(honourServerPrefix, scopes), time, Runnable::run, new Grants());
	}

	private static StoreSettings settings(boolean honourServerPrefix, StoredIdScopes scopes) {
		return new StoreSettings("@hilo", "Raven/HiLo/", honourServerPrefix, "/", "A", Duration.ofSeconds(10), scopes);
	}

}
