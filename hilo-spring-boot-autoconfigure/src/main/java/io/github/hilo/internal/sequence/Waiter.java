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
 * How it is safe: the outcome is settled once, by one atomic step, either by the sequence
 * that sets numbers or a failure aside for the caller, or by a caller that gives up. So
 * no number is set aside for a caller that has left. All else is guarded by the
 * sequence's lock until {@link #complete} hands it over.
 */
final class Waiter {

	private final NumberBlock block;

	private final @Nullable Place place;

	private final @Nullable Deadline deadline;

	private final AtomicBoolean settled = new AtomicBoolean();

	private final CompletableFuture<Waiter> answer = new CompletableFuture<>();

	private volatile long arrival;

	private volatile long beganNanos;

	// Not known before it is served.
	private volatile long waitedNanos = -1;

	/**
	 * Creates a caller that waits.
	 * @param count how many numbers it needs, or 0 if only a range is to be held
	 * @param place where they go, or {@code null} if any will do
	 * @param deadline keeps what the caller waits for
	 */
	Waiter(int count, @Nullable Place place, @Nullable Deadline deadline) {
		this.block = new NumberBlock(count);
		this.place = place;
		this.deadline = deadline;
	}

	/**
	 * Creates a caller that takes no number.
	 */
	static Waiter forRange() {
		return new Waiter(0, null, null);
	}

	@Nullable Place place() {
		return this.place;
	}

	boolean isTaking() {
		return this.block.count() > 0;
	}

	/**
	 * How many numbers must be held to serve it.
	 */
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
	 * It was not served at once.
	 */
	void arrive(long arrival, long nowNanos) {
		this.arrival = arrival;
		this.beganNanos = nowNanos;
	}

	/**
	 * Its place among all that ever waited here, from 1; 0 if it was served at once.
	 */
	long arrival() {
		return this.arrival;
	}

	/**
	 * Ends the wait, from either side.
	 */
	boolean settle() {
		return this.settled.compareAndSet(false, true);
	}

	/**
	 * It was served, or refused, by the sequence.
	 */
	void end(long nowNanos) {
		this.waitedNanos = nowNanos - this.beganNanos;
	}

	/**
	 * How long it has waited, until it was served or, if it has left, until now. A thread
	 * that stands still after that waits for something else.
	 */
	Duration waited(TimeSource time) {
		long nanos = this.waitedNanos;
		return Duration.ofNanos((nanos >= 0) ? nanos : time.nanoTime() - this.beganNanos);
	}

	/**
	 * Hands the caller a failure, or the numbers that its block has. May run the caller's
	 * own code, so no lock may be held. Call only after {@link #settle()} returned true.
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
	 * What ends with the outcome, on the thread that {@linkplain #complete completes} it.
	 */
	CompletableFuture<Waiter> answer() {
		return this.answer;
	}

}
