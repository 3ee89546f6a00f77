package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.github.hilo.store.KnownPlaces;
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
		return new MongoRangeStore(memory(database, false, (sequence) -> List.of(), TimeSource.SYSTEM, new Grants()),
				commands);
	}

	/**
	 * Makes what the stores of one process share.
	 */
	static StoreMemory memory(String database, boolean checked, KnownPlaces places, TimeSource time,
			Supplier<BsonValue> grants) {
		return new StoreMemory(database, settings(checked, places), time, Runnable::run, grants,
				new UnknownNames(time, Runnable::run));
	}

	private static StoreSettings settings(boolean checked, KnownPlaces places) {
		return new StoreSettings("@hilo", "Raven/HiLo/", false, "/", "A", Duration.ofSeconds(10), (sequence) -> checked,
				Set.of(), places);
	}

}
