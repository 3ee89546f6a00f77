package io.github.hilo.internal.sequence;

import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;

/**
 * The callers that could not be served at once, in the order of their arrival. Not
 * thread-safe: the lock of the sequence guards it.
 */
final class WaitQueue {

	// By arrival.
	private final SortedMap<Long, Waiter> waiters = new TreeMap<>();

	// How many callers have ever waited here.
	private long arrivals;

	// How many numbers must be held to serve all waiters.
	private long needed;

	void add(Waiter waiter, long nowNanos) {
		waiter.arrive(++this.arrivals, nowNanos);
		this.waiters.put(this.arrivals, waiter);
		this.needed += waiter.needed();
	}

	void remove(Waiter waiter) {
		if (this.waiters.remove(waiter.arrival(), waiter)) {
			this.needed -= waiter.needed();
		}
	}

	private void removeIf(Predicate<Waiter> ended) {
		this.waiters.values().removeIf((waiter) -> {
			boolean removed = ended.test(waiter);
			if (removed) {
				this.needed -= waiter.needed();
			}
			return removed;
		});
	}

	/**
	 * Returns whether the waiters need more numbers than are held. Those that have left
	 * do not count.
	 */
	boolean needsMoreThan(long held) {
		if (this.needed > held) {
			removeIf(Waiter::isSettled);
		}
		return this.needed > held;
	}

	int size() {
		return this.waiters.size();
	}

	/**
	 * Returns how many numbers the waiting blocks need. Single callers are covered by the
	 * demand.
	 */
	long ofBlocks() {
		return this.waiters.values().stream().mapToLong(Waiter::count).filter((count) -> count > 1).sum();
	}

	Stream<Place> places() {
		return this.waiters.values().stream().map(Waiter::place).filter(Objects::nonNull);
	}

	long ofFirst() {
		return this.waiters.values().iterator().next().needed();
	}

	/**
	 * Returns the arrival of the caller that came last, whether or not that caller still
	 * waits.
	 */
	long lastArrival() {
		return this.arrivals;
	}

	/**
	 * Serves callers in their order. A block that needs more numbers than are held lets
	 * others go first, and so does a caller whose place is being searched.
	 */
	void serve(HeldRanges ranges, Predicate<Waiter> concerned, Step step) {
		if (!this.waiters.isEmpty()) {
			ranges.renewSegment();
			removeIf((waiter) -> waiter.isSettled() || (concerned.test(waiter) && ranges.serve(waiter, step)));
		}
	}

	void refuse(Place place, RuntimeException failure, Step step) {
		removeIf((waiter) -> place.equals(waiter.place()) && refused(waiter, failure, step));
	}

	/**
	 * Refuses the callers for whom too little is left of what is held, in their order.
	 */
	void refuse(long held, RuntimeException failure, Step step) {
		removeIf(Waiter::isSettled);
		AtomicLong left = new AtomicLong(held);
		removeIf((waiter) -> {
			if (waiter.needed() > left.get()) {
				return refused(waiter, failure, step);
			}
			left.addAndGet(-waiter.needed());
			return false;
		});
	}

	private static boolean refused(Waiter waiter, RuntimeException failure, Step step) {
		if (waiter.settle()) {
			step.serve(waiter, failure);
		}
		return true;
	}

}
