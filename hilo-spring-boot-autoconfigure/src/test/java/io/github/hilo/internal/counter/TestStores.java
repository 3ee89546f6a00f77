package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonValue;

/**
 * Stores over commands that a test has made.
 */
final class TestStores {

	static final String COUNTERS = "@hilo";

	private TestStores() {
	}

	/**
	 * Makes a store that checks no stored ids.
	 */
	static MongoRangeStore over(String database, Commands commands) {
		return new MongoRangeStore(memory(database, TimeSource.SYSTEM, new Grants()), "client", true, () -> commands);
	}

	/**
	 * Makes what the stores of one process share.
	 */
	static CounterDatabase memory(String database, TimeSource time, Supplier<BsonValue> grants) {
		return new CounterDatabase(database, true, TestDatabase.storeSettings(false, Duration.ofSeconds(10)), time,
				grants);
	}

}
