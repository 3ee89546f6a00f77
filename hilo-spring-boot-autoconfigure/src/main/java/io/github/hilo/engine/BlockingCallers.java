package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Blocks the threads that find no number, each with its own timeout and interruption.
 * <p>
 * Thread-safe: it keeps nothing.
 */
final class BlockingCallers {

	private final RangeSequence sequence;

	private final String name;

	private final Duration timeout;

	private final TimeSource time;

	BlockingCallers(RangeSequence sequence, String name, Duration timeout, TimeSource time) {
		this.sequence = sequence;
		this.name = name;
		this.timeout = timeout;
		this.time = time;
	}

	/**
	 * Waits for a number.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 */
	IssuedNumber await(@Nullable RangeStore store) {
		long deadlineNanos = deadlineNanos();
		while (true) {
			RangeSequence sequence = this.sequence.registered();
			Waiter waiter = sequence.ask(store, new Waiter(true));
			IssuedNumber issued = await(sequence, waiter, deadlineNanos);
			if (issued != null && sequence.isStillValid(waiter)) {
				return issued;
			}
		}
	}

	/**
	 * Waits for a block of numbers.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 */
	NumberBlock awaitBlock(@Nullable RangeStore store, int count) {
		CallBounds.requireCount(this.name, count);
		long deadlineNanos = deadlineNanos();
		while (true) {
			NumberBlock block = new NumberBlock(count);
			RangeSequence sequence = this.sequence.registered();
			Waiter waiter = sequence.ask(store, new Waiter(block));
			await(sequence, waiter, deadlineNanos);
			if (sequence.isStillValid(waiter)) {
				return block;
			}
		}
	}

	private @Nullable IssuedNumber await(RangeSequence sequence, Waiter waiter, long deadlineNanos) {
		try {
			return waiter.await(deadlineNanos - this.time.nanoTime());
		}
		catch (TimeoutException ex) {
			sequence.leave(waiter);
			throw sequence.unavailable(ReservationFailure.noAnswerWithin(this.timeout), ex);
		}
		catch (InterruptedException ex) {
			sequence.leave(waiter);
			Thread.currentThread().interrupt();
			throw sequence.unavailable("interrupted while waiting for it", ex);
		}
	}

	private long deadlineNanos() {
		return this.time.nanoTime() + this.timeout.toNanos();
	}

}
