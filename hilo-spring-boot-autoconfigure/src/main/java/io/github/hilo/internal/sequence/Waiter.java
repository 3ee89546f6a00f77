package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * A caller that waits for numbers.
 * <p>
 * How it is safe: {@code settled} changes once, in one atomic step. Either the sequence
 * changes it, with numbers or a failure for the caller, or the caller does, who gives up.
 * So the sequence sets no number aside for a caller that has left. The lock of the
 * sequence guards the block until {@link #complete} passes it to the caller, and the
 * other fields are final or volatile.
 */
final class Waiter {

	private final NumberBlock block;

	private final @Nullable Place place;

	private final @Nullable Deadline deadline;

	private final AtomicBoolean settled = new AtomicBoolean();

	private final CompletableFuture<Waiter> answer = new CompletableFuture<>();

	private volatile long arrival;

	private volatile long beganNanos;

	// Negative until the caller is served or refused.
	private volatile long waitedNanos = -1;

	/**
	 * @param count how many numbers the caller needs, or 0 if only a range is to be held
	 * @param place where the numbers will be stored, or {@code null} if any number will
	 * do
	 * @param deadline records what the caller waits for
	 */
	Waiter(int count, @Nullable Place place, @Nullable Deadline deadline) {
		this.block = new NumberBlock(count);
		this.place = place;
		this.deadline = deadline;
	}

	static Waiter forRange() {
		return new Waiter(0, null, null);
	}

	@Nullable Place place() {
		return this.place;
	}

	boolean isTaking() {
		return this.block.count() > 0;
	}

	long needed() {
		return Math.max(1, this.block.count());
	}

	void waitFor(Deadline.Phase next) {
		if (this.deadline != null) {
			this.deadline.waitFor(next);
		}
	}

	NumberBlock block() {
		return this.block;
	}

	boolean isSettled() {
		return this.settled.get();
	}

	/**
	 * Records that the caller was not served at once.
	 */
	void arrive(long arrival, long nowNanos) {
		this.arrival = arrival;
		this.beganNanos = nowNanos;
	}

	/**
	 * Returns the caller's position among all that ever waited, from 1, or 0 if the
	 * caller was served at once.
	 */
	long arrival() {
		return this.arrival;
	}

	/**
	 * Ends the wait, for the sequence or for the caller.
	 * @return whether this call ended it
	 */
	boolean settle() {
		return this.settled.compareAndSet(false, true);
	}

	void end(long nowNanos) {
		this.waitedNanos = nowNanos - this.beganNanos;
	}

	/**
	 * Returns how long the caller waited until it was served, or has waited until now.
	 * What the thread does after that is no part of the wait.
	 */
	Duration waited(TimeSource time) {
		long nanos = this.waitedNanos;
		return Duration.ofNanos((nanos >= 0) ? nanos : time.nanoTime() - this.beganNanos);
	}

	/**
	 * Passes the numbers or a failure to the caller. Call this only if {@link #settle()}
	 * returned true, and without a lock, because it may run code of the caller.
	 */
	void complete(@Nullable RuntimeException failure) {
		if (failure != null) {
			this.answer.completeExceptionally(failure);
		}
		else {
			this.answer.complete(this);
		}
	}

	/**
	 * Returns the future that ends with the outcome, on the thread that calls
	 * {@link #complete}.
	 */
	CompletableFuture<Waiter> answer() {
		return this.answer;
	}

}
