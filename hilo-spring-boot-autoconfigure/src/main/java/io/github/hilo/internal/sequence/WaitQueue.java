package io.github.hilo.internal.sequence;

import java.util.Iterator;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * The callers that found too few numbers, in the order in which they came.
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
			this.waiters.put(this.arrivals, waiter);
		}
	}

	void remove(Waiter waiter) {
		this.waiters.remove(waiter.arrival(), waiter);
	}

	void removeSettled() {
		this.waiters.values().removeIf(Waiter::isSettled);
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
	long ofBlocks() {
		return this.waiters.values()
			.stream()
			.map(Waiter::block)
			.filter(NumberBlock::isSeveral)
			.mapToLong(NumberBlock::count)
			.sum();
	}

	Stream<Place> places() {
		return this.waiters.values().stream().map(Waiter::place).filter(Objects::nonNull);
	}

	long ofFirst() {
		return Math.max(1, this.waiters.values().iterator().next().block().count());
	}

	/**
	 * The arrival of the caller that came last, whether or not it is still here.
	 */
	long lastArrival() {
		return this.arrivals;
	}

	/**
	 * Serves callers, in their turn. A block that needs more than there is lets others go
	 * first.
	 */
	void serve(HeldRanges ranges, long lastArrival, Step step) {
		Iterator<Waiter> turns = this.waiters.values().iterator();
		while (turns.hasNext() && ranges.hasNumber()) {
			Waiter waiter = turns.next();
			if (waiter.arrival() <= lastArrival && serve(waiter, ranges, step)) {
				turns.remove();
			}
		}
	}

	/**
	 * Serves a caller. It is settled before it is given anything, so that no number goes
	 * to one that has left.
	 */
	private static boolean serve(Waiter waiter, HeldRanges ranges, Step step) {
		boolean enough = waiter.block().count() <= ranges.held();
		if (enough && waiter.settle()) {
			ranges.fill(waiter.block(), step.nanos());
			step.serve(waiter, null);
		}
		return enough || waiter.isSettled();
	}

	void refuse(RuntimeException failure, Step step) {
		this.waiters.values().stream().filter(Waiter::settle).forEach((waiter) -> step.serve(waiter, failure));
		this.waiters.clear();
	}

}
