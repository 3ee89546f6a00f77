package io.github.hilo.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * A caller's place in the queue for a range.
 * <p>
 * How it is safe: the outcome is settled once, by one atomic step, either by the sequence
 * that sets a number or a failure aside for the caller, or by a caller that gives up. So
 * no number is set aside for a caller that has left, and a caller that comes too late to
 * leave gets its number.
 */
final class Waiter {

	/**
	 * How long an outcome that was settled may be on its way: it is lost with an error of
	 * the thread that would have handed it over.
	 */
	private static final long HANDOVER_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final boolean taking;

	private final @Nullable NumberBlock block;

	private final AtomicBoolean settled = new AtomicBoolean();

	private final CompletableFuture<@Nullable IssuedNumber> answer = new CompletableFuture<>();

	private @Nullable IssuedNumber issued;

	private @Nullable RuntimeException failure;

	private int resets;

	private boolean waiting;

	private long waitingSinceNanos;

	private long arrival;

	/**
	 * Creates a waiter that no answer was given to yet.
	 * @param taking whether the caller needs a number, or only wants a range to be held
	 */
	Waiter(boolean taking) {
		this(taking, null);
	}

	/**
	 * Creates a waiter that needs several numbers.
	 * @param block takes the numbers; the answer has none then
	 */
	Waiter(NumberBlock block) {
		this(true, block);
	}

	private Waiter(boolean taking, @Nullable NumberBlock block) {
		this.taking = taking;
		this.block = block;
	}

	boolean isTaking() {
		return this.taking;
	}

	@Nullable NumberBlock block() {
		return this.block;
	}

	boolean isSettled() {
		return this.settled.get();
	}

	/**
	 * Begins to wait, in the queue.
	 * @param arrival how many came before it, and itself
	 */
	void waitSince(long nanos, long arrival) {
		this.waitingSinceNanos = nanos;
		this.waiting = true;
		this.arrival = arrival;
	}

	/**
	 * Its place among all that ever waited here, from 1.
	 */
	long arrival() {
		return this.arrival;
	}

	/**
	 * Whether the caller had to queue for its number.
	 */
	boolean isWaiting() {
		return this.waiting;
	}

	long waitingSinceNanos() {
		return this.waitingSinceNanos;
	}

	/**
	 * Ends the wait, from either side.
	 * @return whether it had not ended yet
	 */
	boolean settle() {
		return this.settled.compareAndSet(false, true);
	}

	/**
	 * Sets an outcome aside for the caller: a number, a failure, or neither where no
	 * number was asked for or the block has them. Call only after {@link #settle()}
	 * returned true.
	 * @return this, to be {@linkplain #complete completed}
	 */
	Waiter outcome(@Nullable IssuedNumber issued, @Nullable RuntimeException failure) {
		this.issued = issued;
		this.failure = failure;
		return this;
	}

	/**
	 * Hands the caller what was set aside. May run the caller's own code, so no lock may
	 * be held.
	 * @param resets how often the sequence had been reset when the outcome was set aside
	 */
	void complete(int resets) {
		this.resets = resets;
		if (this.failure != null) {
			this.answer.completeExceptionally(this.failure);
		}
		else {
			this.answer.complete(this.issued);
		}
	}

	/**
	 * How often the sequence had been reset when the outcome was set aside. For callers
	 * that have it.
	 */
	int resets() {
		return this.resets;
	}

	/**
	 * What ends with the outcome, on the thread that {@linkplain #complete completes} it.
	 */
	CompletableFuture<@Nullable IssuedNumber> answer() {
		return this.answer;
	}

	/**
	 * Waits for the outcome. A failure is thrown as an exception with a stack trace of
	 * the calling thread's own.
	 * @throws TimeoutException if the caller has given up, and gets no number any more
	 * @throws InterruptedException if the caller was interrupted, and gets no number any
	 * more
	 */
	@Nullable IssuedNumber await(long timeoutNanos) throws TimeoutException, InterruptedException {
		try {
			if (!LatchWait.ended(this.answer, timeoutNanos) && (settle() || isLost())) {
				throw new TimeoutException();
			}
		}
		catch (InterruptedException ex) {
			if (settle() || isLost()) {
				throw ex;
			}
			Thread.currentThread().interrupt();
		}
		return ReservationFailure.join(this.answer);
	}

	private boolean isLost() throws InterruptedException {
		return !LatchWait.ended(this.answer, HANDOVER_NANOS);
	}

}
