package io.github.hilo.engine;

import java.time.Duration;

import io.github.hilo.store.RangeRequest;

/**
 * What a sequence asks its store for.
 *
 * @param initialValue the sequence's lowest number
 * @param patience longest a caller waits
 */
record RangeRequests(long initialValue, Duration patience) {

	/**
	 * By when the store has to answer: sooner than a caller gives up, so that its waiters
	 * learn why it failed.
	 */
	Duration timeout() {
		return this.patience.multipliedBy(9).dividedBy(10);
	}

	/**
	 * Makes a reservation of as many numbers as the demand asks for, or as the waiting
	 * blocks need. An engine that is not running holds nothing: it asks for a single
	 * number.
	 */
	Operation.Reservation reservation(HeldRanges ranges, Demand demand, WaitQueue waiters, Moment now) {
		boolean running = now.mode() == EngineMode.RUNNING;
		long usualSize = running ? demand.nextSize(ranges.current(), now.nanos()) : 1;
		long size = Math.max(usualSize, waiters.missing());
		long known = ranges.highestKnown();
		return new Operation.Reservation(new RangeRequest(size, Math.max(this.initialValue - 1, known), known == 0,
				ranges.issuedSinceReset(), !running && size == 1, timeout()), usualSize);
	}

}
