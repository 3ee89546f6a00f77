package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.RangeStore;

/**
 * What a sequence has in flight, at most one at a time.
 */
abstract class Operation {

	final RangeStore store;

	private Operation(RangeStore store) {
		this.store = store;
	}

	/**
	 * A range is being reserved.
	 */
	static final class Reservation extends Operation {

		final RangeRequest request;

		/**
		 * How many numbers it would ask for if no block was waiting.
		 */
		final long usualSize;

		Reservation(RangeStore store, RangeRequest request, long usualSize) {
			super(store);
			this.request = request;
			this.usualSize = usualSize;
		}

	}

	/**
	 * Unused numbers go back.
	 */
	static final class Return extends Operation {

		final RangeReturn range;

		Return(RangeStore store, RangeReturn range) {
			super(store);
			this.range = range;
		}

	}

	/**
	 * The counter is being raised.
	 */
	static final class Raise extends Operation {

		final long floor;

		final Duration timeout;

		final CompletableFuture<Long> answer = new CompletableFuture<>();

		Raise(RangeStore store, long floor, Duration timeout) {
			super(store);
			this.floor = floor;
			this.timeout = timeout;
		}

	}

}
