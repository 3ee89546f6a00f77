package io.github.hilo.sequence;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.stream.Stream;

import io.github.hilo.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * The callers that found no number, in the order in which they came.
 */
final class WaitQueue {

	// Small: most sequences never have a waiter.
	private final Queue<Waiter> waiters = new ArrayDeque<>(1);

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
			waiter.waitSince(step.nanos(), ++this.arrivals);
			this.waiters.add(waiter);
		}
	}

	void remove(Waiter waiter) {
		this.waiters.remove(waiter);
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	/**
	 * Removes the callers that have left.
	 * @return whether anybody is still here
	 */
	boolean removeSettled() {
		this.waiters.removeIf(Waiter::isSettled);
		return !this.waiters.isEmpty();
	}

	int size() {
		return this.waiters.size();
	}

	/**
	 * How many numbers the blocks need that wait here. What single callers need follows
	 * from the demand.
	 */
	long missing() {
		return this.waiters.stream()
			.map(Waiter::block)
			.filter(NumberBlock::isSeveral)
			.mapToLong(NumberBlock::missing)
			.sum();
	}

	/**
	 * Where the numbers of those that wait will go.
	 */
	Stream<Place> places() {
		return this.waiters.stream().map(Waiter::place).filter(Objects::nonNull);
	}

	long missingToFirst() {
		return Math.max(1, this.waiters.element().block().missing());
	}

	/**
	 * The arrival of the caller that came last, whether or not it is still here.
	 */
	long lastArrival() {
		return this.arrivals;
	}

	/**
	 * Serves the callers that a reservation is for, as far as the ranges go.
	 * @param ranges what is held; nobody else takes from it yet
	 */
	void serve(HeldRanges ranges, Operation.Reservation reservation, Step step) {
		while (!this.waiters.isEmpty() && ranges.hasNumber()
				&& this.waiters.element().arrival() <= reservation.lastArrival()
				&& serveOne(this.waiters.element(), ranges, reservation.isForAll(), step)) {
			this.waiters.remove();
		}
	}

	/**
	 * Serves a caller. It is settled before it is given anything, so that no number goes
	 * to one that has left.
	 * @param inParts whether a block may take what there is, and the rest later
	 * @return whether it has all that it needs, or has left
	 */
	private boolean serveOne(Waiter waiter, HeldRanges ranges, boolean inParts, Step step) {
		boolean enough = waiter.block().missing() <= ranges.remaining();
		if (waiter.isSettled() || (enough && !waiter.settle())) {
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

	void refuse(RuntimeException failure, Step step) {
		this.waiters.stream().filter(Waiter::settle).forEach((waiter) -> step.serve(waiter, failure));
		this.waiters.clear();
	}

	/**
	 * Lets the blocks start over: what they have so far must not be issued any more.
	 */
	void restartBlocks() {
		this.waiters.forEach((waiter) -> waiter.block().restart());
	}

}
