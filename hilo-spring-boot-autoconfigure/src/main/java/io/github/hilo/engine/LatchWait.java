package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.hilo.HiLoUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of a future. Not by the future itself: a thread of a fork-join pool
 * that waits for one runs other tasks meanwhile, past its timeout and within the
 * transaction of its caller. Internal.
 *
 * @hidden
 */
public final class LatchWait {

	private LatchWait() {
	}

	/**
	 * Waits for an answer, however long it takes. A caller that is interrupted cancels
	 * it.
	 * @param <T> the type of the answer
	 * @param stage what ends with the answer
	 * @param interrupted what a caller that is interrupted is told
	 * @return the answer
	 * @throws HiLoUnavailableException if the caller was interrupted, or for whatever
	 * failure is no other of ours
	 */
	public static <T extends @Nullable Object> T await(CompletionStage<T> stage, String interrupted) {
		CompletableFuture<T> answer = stage.toCompletableFuture();
		try {
			ended(answer, Long.MAX_VALUE);
			return ReservationFailure.join(answer);
		}
		catch (InterruptedException ex) {
			answer.cancel(false);
			Thread.currentThread().interrupt();
			throw new HiLoUnavailableException(interrupted, ex);
		}
	}

	/**
	 * Waits.
	 * @return whether it has ended in time
	 */
	static boolean ended(CompletableFuture<?> operation, long timeoutNanos) throws InterruptedException {
		CountDownLatch ended = new CountDownLatch(1);
		CompletableFuture<?> unused = operation.whenComplete((result, failure) -> ended.countDown());
		return ended.await(timeoutNanos, TimeUnit.NANOSECONDS);
	}

	/**
	 * Waits without heeding an interruption, which would turn unused numbers into gaps;
	 * it is kept for the caller.
	 * @return whether it has ended in time
	 */
	static boolean endedUninterrupted(CompletableFuture<?> operation, Duration timeout) {
		long deadlineNanos = System.nanoTime() + timeout.toNanos();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return ended(operation, deadlineNanos - System.nanoTime());
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
