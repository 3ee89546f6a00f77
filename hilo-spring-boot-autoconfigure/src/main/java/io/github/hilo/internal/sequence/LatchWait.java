package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

import io.github.hilo.internal.store.Deadline;

/**
 * Waits for the end of a future, by a latch. The future's own methods would not do,
 * because a thread of a fork-join pool that waits in them runs other tasks meanwhile,
 * even after the timeout and within the transaction of its caller.
 */
public final class LatchWait {

	private LatchWait() {
	}

	/**
	 * Waits for a call of the current thread. If the time is over or the thread is
	 * interrupted, this method ends the call with a failure.
	 */
	public static <T> T await(CompletableFuture<T> call, Deadline deadline,
			BiFunction<String, Throwable, RuntimeException> unavailable) {
		try {
			if (!awaitEnd(call, deadline.left().toNanos())) {
				call.completeExceptionally(
						unavailable.apply(ReservationFailure.overdue(deadline), new TimeoutException()));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			call.completeExceptionally(unavailable.apply("interrupted while waiting for it", ex));
		}
		return ReservationFailure.join(call);
	}

	static boolean awaitEnd(CompletableFuture<?> operation, long timeoutNanos) throws InterruptedException {
		CountDownLatch ended = new CountDownLatch(1);
		CompletableFuture<?> unused = operation.whenComplete((result, failure) -> ended.countDown());
		return ended.await(timeoutNanos, TimeUnit.NANOSECONDS);
	}

	/**
	 * Waits even if the thread is interrupted, because unused numbers would become gaps
	 * otherwise. The thread stays marked as interrupted.
	 */
	public static boolean awaitUninterrupted(CompletableFuture<?> operation, Duration timeout) {
		long deadlineNanos = System.nanoTime() + timeout.toNanos();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return awaitEnd(operation, deadlineNanos - System.nanoTime());
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
