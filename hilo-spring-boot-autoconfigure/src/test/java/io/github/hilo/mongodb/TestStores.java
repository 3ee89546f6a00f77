package io.github.hilo.mongodb;

import java.time.Duration;

import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIdScopes;
import io.github.hilo.store.TimeSource;

/**
 * Stores over commands that a test has made.
 */
final class TestStores {

	private TestStores() {
	}

	/**
	 * Makes a store that looks at no stored ids.
	 */
	static MongoRangeStore over(String database, StoreCommands commands) {
		return over(database, commands, (name, sequence) -> StoredIdScope.NONE, TimeSource.SYSTEM);
	}

	static MongoRangeStore over(String database, StoreCommands commands, StoredIdScopes scopes, TimeSource time) {
		return over(database, commands, new StoreMemory(time, false), scopes, time);
	}

	/**
	 * Makes a store that shares what it remembers with others of its process.
	 */
	static MongoRangeStore over(String database, StoreCommands commands, StoreMemory memory, StoredIdScopes scopes,
			TimeSource time) {
		return new MongoRangeStore(database, settings(false, scopes), commands, memory, time, Runnable::run);
	}

	/**
	 * Makes a store that honours the server prefix.
	 */
	static MongoRangeStore withServerPrefix(String database, StoreCommands commands) {
		return new MongoRangeStore(database, settings(true, (name, sequence) -> StoredIdScope.NONE), commands,
				new StoreMemory(TimeSource.SYSTEM, true), TimeSource.SYSTEM, Runnable::run);
	}

	private static StoreSettings settings(boolean honourServerPrefix, StoredIdScopes scopes) {
		return new StoreSettings("@hilo", "Raven/HiLo/", honourServerPrefix, "/", "A", Duration.ofSeconds(10), scopes);
	}

}
