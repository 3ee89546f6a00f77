package io.github.hilo.internal.sequence;

import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * The callers that found no number, in the order in which they came.
 */
final class WaitQueue {

	// By their arrival.
	private final SortedMap<Long, Waiter> waiters = new TreeMap<>();

	// How many have ever waited here.
	private long arrivals;

	/**
	 * Serves a caller at once, or else lets it wait.
	 * @param ranges what is held, or {@code null} if nothing is to be held: then a caller
	 * that only wants a range is ready, and any other waits for a reservation of its own
	 */
	void admit(Waiter waiter, @Nullable HeldRanges ranges, Step step) {
		boolean served = (ranges == null) ? !waiter.isTaking()
				: ranges.fill(waiter.block(), step.nanos()) && (waiter.isTaking() || ranges.hasNumber());
		if (served && waiter.settle()) {
			step.serve(waiter, null);
		}
		else {
			waiter.arrive(++this.arrivals);
			this.waiters.put(waiter.arrival(), waiter);
		}
	}

	/**
	 * Removes a caller that has left. What its block has so far is held again.
	 */
	void remove(Waiter waiter, HeldRanges ranges, Step step) {
		if (this.waiters.remove(waiter.arrival(), waiter)) {
			ranges.putBack(waiter.block(), step);
		}
	}

	/**
	 * Removes the callers that have left.
	 */
	void removeSettled(HeldRanges ranges, Step step) {
		this.waiters.values().stream().filter(Waiter::isSettled).toList().forEach((left) -> remove(left, ranges, step));
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	int size() {
		return this.waiters.size();
	}

	/**
	 * How many numbers the blocks need that wait here. What single callers need follows
	 * from the demand.
	 */
	long missing() {
		return this.waiters.values()
			.stream()
			.map(Waiter::block)
			.filter(NumberBlock::isSeveral)
			.mapToLong(NumberBlock::missing)
			.sum();
	}

	/**
	 * Where the numbers of those that wait will go.
	 */
	Stream<Place> places() {
		return this.waiters.values().stream().map(Waiter::place).filter(Objects::nonNull);
	}

	long missingToFirst() {
		return Math.max(1, first().block().missing());
	}

	/**
	 * The arrival of the caller that came last, whether or not it is still here.
	 */
	long lastArrival() {
		return this.arrivals;
	}

	/**
	 * Serves callers, in their turn, as far as the ranges go.
	 */
	void serve(HeldRanges ranges, long lastArrival, Step step) {
		while (!this.waiters.isEmpty() && ranges.hasNumber() && first().arrival() <= lastArrival
				&& serveOne(first(), ranges, lastArrival == Operation.Reservation.ANYBODY, step)) {
			this.waiters.remove(this.waiters.firstKey());
		}
	}

	/**
	 * Serves a caller. It is settled before it is given anything, so that no number goes
	 * to one that has left.
	 */
	private boolean serveOne(Waiter waiter, HeldRanges ranges, boolean inParts, Step step) {
		boolean enough = waiter.block().missing() <= ranges.held();
		if (waiter.isSettled() || (enough && !waiter.settle())) {
			ranges.putBack(waiter.block(), step);
			return true;
		}
		if (enough || inParts) {
			ranges.fill(waiter.block(), step.nanos());
		}
		if (enough) {
			step.serve(waiter, null);
		}
		return enough;
	}

	/**
	 * Refuses everybody. What blocks have so far is held again.
	 */
	void refuse(RuntimeException failure, HeldRanges ranges, Step step) {
		this.waiters.values().forEach((waiter) -> ranges.putBack(waiter.block(), step));
		this.waiters.values().stream().filter(Waiter::settle).forEach((waiter) -> step.serve(waiter, failure));
		this.waiters.clear();
	}

	/**
	 * Lets the blocks start over: what they have so far must not be issued any more.
	 */
	void restartBlocks(String why, Step step) {
		this.waiters.values()
			.forEach((waiter) -> waiter.block().restart((run) -> step.discarded(run.first(), run.last(), why)));
	}

	private Waiter first() {
		return this.waiters.values().iterator().next();
	}

}
