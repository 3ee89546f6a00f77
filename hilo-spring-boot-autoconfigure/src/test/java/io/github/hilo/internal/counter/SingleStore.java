package io.github.hilo.internal.counter;

import java.util.concurrent.Executor;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;

/**
 * Stores of which there is but one, that a test has made.
 *
 * @param store the store of every database
 */
record SingleStore(RangeStore store) implements RangeStores {

	@Override
	public RangeStore current(Deadline deadline) {
		return this.store;
	}

	@Override
	public boolean isCurrentFixed() {
		return true;
	}

	@Override
	public RangeStore named(String database, Deadline deadline) {
		return this.store;
	}

	@Override
	public Executor executor() {
		return Runnable::run;
	}

	@Override
	public void close() {
	}

}
