package io.github.hilo.engine;

import java.time.Duration;

import io.github.hilo.store.RangeRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence asks its store for, and when.
 *
 * @param own the sequence's settings
 * @param patience longest a caller waits
 */
record RangeRequests(HiLoSettings.SequenceSettings own, Duration patience) {

	/**
	 * By when the store has to answer: sooner than a caller gives up, so that its waiters
	 * learn why it failed.
	 */
	Duration timeout() {
		return this.patience.multipliedBy(9).dividedBy(10);
	}

	/**
	 * Whether every number, or block, is a reservation of its own, and nothing is held of
	 * it: in a consecutive sequence, and in an engine that is not running.
	 */
	boolean holdsNothing(Moment now) {
		return this.own.consecutive() || now.mode() != EngineMode.RUNNING;
	}

	/**
	 * How many numbers a request would ask for now, if nobody waited.
	 */
	long nextSize(Demand demand, Moment now) {
		return holdsNothing(now) ? 1 : demand.nextSize(now.nanos());
	}

	/**
	 * Makes the reservation that is due, if any: for those that wait, or in advance.
	 */
	Operation.@Nullable Reservation due(HeldRanges ranges, Demand demand, WaitQueue waiters, Moment now) {
		boolean waiting = waiters.removeSettled();
		if (holdsNothing(now)) {
			return waiting ? forFirst(ranges, waiters) : null;
		}
		boolean ahead = !ranges.hasNext() && demand.isPrefetchDue(ranges.current(), now.nanos());
		return (waiting || ahead) ? ofRange(ranges, demand, waiters, now) : null;
	}

	private Operation.Reservation forFirst(HeldRanges ranges, WaitQueue waiters) {
		long size = waiters.missingToFirst();
		return Operation.Reservation.forOne(request(size, ranges), waiters.lastArrival());
	}

	/**
	 * Asks for as many numbers as the demand says, or as the waiting blocks need.
	 */
	private Operation.Reservation ofRange(HeldRanges ranges, Demand demand, WaitQueue waiters, Moment now) {
		long usualSize = demand.nextSize(ranges.current(), waiters.size(), now.nanos());
		return Operation.Reservation.ofRange(request(Math.max(usualSize, waiters.missing()), ranges), usualSize);
	}

	private RangeRequest request(long size, HeldRanges ranges) {
		long known = ranges.highestKnown();
		return new RangeRequest(size, Math.max(this.own.initialValue() - 1, known), known == 0,
				ranges.issuedSinceReset(), timeout());
	}

}
