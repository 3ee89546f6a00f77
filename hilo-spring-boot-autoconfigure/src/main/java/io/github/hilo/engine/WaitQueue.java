package io.github.hilo.engine;

import java.util.ArrayDeque;
import java.util.Queue;

import org.jspecify.annotations.Nullable;

/**
 * The callers that found no number, in the order in which they came. Not thread-safe: its
 * sequence's lock guards it.
 */
final class WaitQueue {

	// Small: most sequences never have a waiter.
	private final Queue<Waiter> waiters = new ArrayDeque<>(1);

	/**
	 * How many have ever waited here.
	 */
	private long arrivals;

	/**
	 * How many numbers blocks had taken that their callers never received.
	 */
	private long lost;

	/**
	 * Serves a caller at once, or else lets it wait.
	 * @param ranges what is held, or {@code null} if nothing is to be held: then a caller
	 * that only wants a range is ready, and any other waits for a reservation of its own
	 */
	void admit(Waiter waiter, @Nullable HeldRanges ranges, long nowNanos, Effects effects) {
		NumberBlock block = waiter.block();
		IssuedNumber number = null;
		boolean served = !waiter.isTaking();
		if (ranges != null) {
			number = (waiter.isTaking() && block == null) ? ranges.take(nowNanos) : null;
			served = (block != null) ? ranges.fill(block, nowNanos)
					: waiter.isTaking() ? number != null : ranges.hasNumber();
		}
		if (served && waiter.settle()) {
			effects.serve(waiter, number);
		}
		else {
			waiter.waitSince(nowNanos, ++this.arrivals);
			this.waiters.add(waiter);
		}
	}

	void remove(Waiter waiter) {
		if (this.waiters.remove(waiter)) {
			lose(waiter);
		}
	}

	private void lose(Waiter waiter) {
		this.lost += taken(waiter);
	}

	/**
	 * How many numbers a block has taken that has not all of them.
	 */
	private static long taken(Waiter waiter) {
		NumberBlock block = waiter.block();
		return (block == null || block.isFull()) ? 0 : block.count() - block.missing();
	}

	/**
	 * How many numbers were taken that no caller has received.
	 */
	long undelivered() {
		return this.lost + this.waiters.stream().mapToLong(WaitQueue::taken).sum();
	}

	/**
	 * This process may be a copy from now on, which has taken nothing.
	 */
	void reset() {
		restartBlocks();
		this.lost = 0;
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	/**
	 * Removes the callers that have left.
	 * @return whether anybody is still here
	 */
	boolean removeSettled() {
		this.waiters.removeIf((waiter) -> {
			boolean settled = waiter.isSettled();
			if (settled) {
				lose(waiter);
			}
			return settled;
		});
		return !this.waiters.isEmpty();
	}

	/**
	 * How many callers are here.
	 */
	int size() {
		return this.waiters.size();
	}

	/**
	 * How many numbers the blocks need that wait here.
	 */
	long missing() {
		long missing = 0;
		for (Waiter waiter : this.waiters) {
			NumberBlock block = waiter.block();
			missing += (block != null) ? block.missing() : 0;
		}
		return missing;
	}

	/**
	 * How many numbers the first caller needs.
	 */
	long missingToFirst() {
		NumberBlock block = this.waiters.element().block();
		return (block != null) ? block.missing() : 1;
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
	void serve(HeldRanges ranges, Operation.Reservation reservation, long nowNanos, Effects effects) {
		while (!this.waiters.isEmpty() && ranges.hasNumber()
				&& this.waiters.element().arrival() <= reservation.lastArrival()
				&& serveOne(this.waiters.element(), ranges, reservation.isForAll(), nowNanos, effects)) {
			lose(this.waiters.remove());
		}
	}

	/**
	 * Serves a caller. It is settled before it is given anything, so that no number goes
	 * to one that has left.
	 * @param inParts whether a block may take what there is, and the rest later
	 * @return whether it has all that it needs, or has left
	 */
	private boolean serveOne(Waiter waiter, HeldRanges ranges, boolean inParts, long nowNanos, Effects effects) {
		NumberBlock block = waiter.block();
		boolean enough = block == null || block.missing() <= ranges.remaining();
		if (waiter.isSettled() || (enough && !waiter.settle())) {
			return true;
		}
		IssuedNumber number = null;
		if (block != null && (enough || inParts)) {
			ranges.fill(block, nowNanos);
		}
		else if (block == null && waiter.isTaking()) {
			number = ranges.take(nowNanos);
		}
		if (enough) {
			effects.serve(waiter, number);
		}
		return enough;
	}

	/**
	 * Lets every caller fail.
	 */
	void refuse(RuntimeException failure, Effects effects) {
		this.waiters.forEach(this::lose);
		this.waiters.stream().filter(Waiter::settle).forEach((waiter) -> effects.refuse(waiter, failure));
		this.waiters.clear();
	}

	/**
	 * Lets the blocks start over: what they have so far must not be issued any more.
	 */
	void restartBlocks() {
		for (Waiter waiter : this.waiters) {
			if (waiter.block() != null) {
				lose(waiter);
				waiter.block().restart();
			}
		}
	}

}
