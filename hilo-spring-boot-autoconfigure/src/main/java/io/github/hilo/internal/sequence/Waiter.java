package io.github.hilo.internal.sequence;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A caller's place in the queue for a range.
 * <p>
 * How it is safe: the outcome is settled once, by one atomic step, either by the sequence
 * that sets numbers or a failure aside for the caller, or by a caller that gives up. So
 * no number is set aside for a caller that has left. All else is guarded by the
 * sequence's lock until {@link #complete} hands it over.
 */
final class Waiter {

	private final NumberBlock block;

	private final @Nullable Place place;

	private final AtomicBoolean settled = new AtomicBoolean();

	private final CompletableFuture<Waiter> answer = new CompletableFuture<>();

	private long arrival;

	/**
	 * Creates a caller that waits.
	 * @param count how many numbers it needs, or 0 if only a range is to be held
	 */
	Waiter(int count, @Nullable Place place) {
		this.block = new NumberBlock(count);
		this.place = place;
	}

	@Nullable Place place() {
		return this.place;
	}

	boolean isTaking() {
		return this.block.count() > 0;
	}

	NumberBlock block() {
		return this.block;
	}

	boolean isSettled() {
		return this.settled.get();
	}

	void arrive(long arrival) {
		this.arrival = arrival;
	}

	/**
	 * Its place among all that ever waited here, from 1.
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
