package io.github.hilo.internal.sequence;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The callers that could not be served at once, in the order of their arrival. Not
 * thread-safe: the lock of the sequence guards it.
 */
final class WaitQueue {

	private static final int MOST_SHARING = 64;

	// By arrival.
	private final SortedMap<Long, Waiter> waiters = new TreeMap<>();

	// How many callers have ever waited here.
	private long arrivals;

	// How many numbers all waiters take.
	private long needed;

	void add(Waiter waiter) {
		waiter.arrive(++this.arrivals);
		this.waiters.put(this.arrivals, waiter);
		this.needed += waiter.count();
	}

	void remove(Waiter waiter) {
		if (this.waiters.remove(waiter.arrival(), waiter)) {
			this.needed -= waiter.count();
		}
	}

	private void removeIf(Predicate<Waiter> settled) {
		this.waiters.values().removeIf((waiter) -> {
			boolean removed = settled.test(waiter);
			if (removed) {
				this.needed -= waiter.count();
			}
			return removed;
		});
	}

	/**
	 * Returns whether the waiters need more numbers than are held. Those that have left
	 * do not count.
	 */
	boolean needsMoreThan(long held) {
		if (!isEnough(held)) {
			removeIf(Waiter::isSettled);
		}
		return !isEnough(held);
	}

	/**
	 * Returns whether so many numbers are enough. Callers who only want a range to be
	 * held take none, but one number must be there.
	 */
	private boolean isEnough(long held) {
		return this.waiters.isEmpty() || (held > 0 && this.needed <= held);
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	int size() {
		return this.waiters.size();
	}

	/**
	 * Returns how many numbers the waiting blocks need. The demand provides for callers
	 * who need one.
	 */
	long ofBlocks() {
		return this.waiters.values().stream().filter(Waiter::isBlock).mapToLong(Waiter::count).sum();
	}

	/**
	 * Returns the callers that share the next reservation if nothing is to be held: the
	 * first one alone if it needs a block, because the numbers of a block are adjacent,
	 * or those before the first block, at most {@value #MOST_SHARING}.
	 */
	Batch batch() {
		long needed = 0;
		long last = 0;
		Waiter block = null;
		for (Waiter waiter : this.waiters.values()) {
			if (needed == MOST_SHARING || (needed > 0 && waiter.isBlock())) {
				break;
			}
			needed += waiter.toBeHeld();
			last = waiter.arrival();
			if (waiter.isBlock()) {
				block = waiter;
				break;
			}
		}
		return new Batch(needed, last, block);
	}

	boolean any(Predicate<Waiter> test) {
		return this.waiters.values().stream().anyMatch(test);
	}

	/**
	 * Returns the first caller of some, or {@code null}.
	 */
	@Nullable Waiter first(Predicate<Waiter> concerned) {
		return this.waiters.values()
			.stream()
			.filter((waiter) -> concerned.test(waiter) && !waiter.isSettled())
			.findFirst()
			.orElse(null);
	}

	/**
	 * Returns the first caller for whom too little is left of what is held, or
	 * {@code null}.
	 */
	@Nullable Waiter firstLacking(long held) {
		long left = held;
		for (Waiter waiter : this.waiters.values()) {
			if (!waiter.isSettled()) {
				if (waiter.toBeHeld() > left) {
					return waiter;
				}
				left -= waiter.count();
			}
		}
		return null;
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
	 * others go first, and so does a caller whose place must be covered first.
	 * @param serves serves a caller, and returns whether the caller is done
	 */
	void removeServed(Predicate<Waiter> serves) {
		removeIf((waiter) -> waiter.isSettled() || serves.test(waiter));
	}

	void refuse(Predicate<Waiter> concerned, RuntimeException failure, Step step) {
		removeIf((waiter) -> refuseIf(waiter, concerned, failure, step));
	}

	private static boolean refuseIf(Waiter waiter, Predicate<Waiter> concerned, RuntimeException failure, Step step) {
		boolean refused = concerned.test(waiter);
		if (refused) {
			step.refuse(waiter, failure);
		}
		return refused;
	}

	/**
	 * Refuses callers for whom what is held does not suffice. In the order of arrival,
	 * each caller either gets its share of what is held, or lacks numbers, and is refused
	 * if it is concerned.
	 */
	void refuseLacking(long held, Predicate<Waiter> concerned, RuntimeException failure, Step step) {
		removeIf(Waiter::isSettled);
		AtomicLong left = new AtomicLong(held);
		removeIf((waiter) -> {
			if (waiter.toBeHeld() > left.get()) {
				return refuseIf(waiter, concerned, failure, step);
			}
			left.addAndGet(-waiter.count());
			return false;
		});
	}

	/**
	 * Callers that share a reservation.
	 *
	 * @param needed how many numbers they need
	 * @param lastArrival the arrival of the last one
	 * @param block the only one, if it needs a block
	 */
	record Batch(long needed, long lastArrival, @Nullable Waiter block) {
	}

}
