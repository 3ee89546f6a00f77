package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.github.hilo.Arguments;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Blocks the threads that find no number, each with its own timeout and interruption.
 * <p>
 * Thread-safe: it keeps nothing.
 */
final class BlockingCallers {

	private final RangeSequence sequence;

	private final Duration timeout;

	private final TimeSource time;

	BlockingCallers(RangeSequence sequence, Duration timeout, TimeSource time) {
		this.sequence = sequence;
		this.timeout = timeout;
		this.time = time;
	}

	/**
	 * Waits for a number.
	 */
	IssuedNumber await() {
		long deadlineNanos = deadlineNanos();
		while (true) {
			Waiter waiter = this.sequence.ask(new Waiter(true));
			IssuedNumber issued = await(waiter, deadlineNanos);
			if (issued != null && this.sequence.isStillValid(waiter)) {
				return issued;
			}
		}
	}

	/**
	 * Waits for a block of numbers.
	 */
	NumberBlock awaitBlock(int count) {
		Arguments.requireCount(count);
		long deadlineNanos = deadlineNanos();
		while (true) {
			NumberBlock block = new NumberBlock(count);
			Waiter waiter = this.sequence.ask(new Waiter(block));
			await(waiter, deadlineNanos);
			if (this.sequence.isStillValid(waiter)) {
				return block;
			}
		}
	}

	/**
	 * Raises the counter. A raise that is under way goes on where the caller is
	 * interrupted.
	 */
	long awaitRaise(long floor) {
		CompletableFuture<Long> raise = this.sequence.raise(floor);
		if (!LatchWait.endedUninterrupted(raise, this.timeout)) {
			// Where it has not begun, it need not be carried out.
			raise.cancel(false);
			throw ReservationFailure.notRaised(this.sequence, floor, ReservationFailure.noAnswerWithin(this.timeout),
					null);
		}
		return ReservationFailure.join(raise);
	}

	private @Nullable IssuedNumber await(Waiter waiter, long deadlineNanos) {
		try {
			return waiter.await(deadlineNanos - this.time.nanoTime());
		}
		catch (TimeoutException ex) {
			this.sequence.leave(waiter);
			throw this.sequence.unavailable(ReservationFailure.noAnswerWithin(this.timeout), ex);
		}
		catch (InterruptedException ex) {
			this.sequence.leave(waiter);
			Thread.currentThread().interrupt();
			throw this.sequence.unavailable("interrupted while waiting for it", ex);
		}
	}

	private long deadlineNanos() {
		return this.time.nanoTime() + this.timeout.toNanos();
	}

}
