package io.github.hilo.internal.sequence;

import io.github.hilo.fixture.LaterTasks;
import io.github.hilo.internal.store.TimeSource;

/**
 * Makes memories of chosen numbers that forget nothing by themselves.
 */
final class ChosenInTests {

	private ChosenInTests() {
	}

	static ChosenNumbers of(TimeSource time) {
		return new ChosenMemory(time, new LaterTasks()).ofAllDatabases().inDatabase();
	}

}
