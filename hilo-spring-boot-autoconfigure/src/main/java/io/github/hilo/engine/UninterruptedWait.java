package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits without heeding an interruption, which would turn unused numbers into gaps; the
 * wait is bounded, and the interruption is kept for the caller.
 */
final class UninterruptedWait {

	private UninterruptedWait() {
	}

	/**
	 * Waits for the end of an operation.
	 * @return whether it has ended in time
	 */
	static boolean ended(CompletableFuture<?> operation, Duration timeout) {
		long deadlineNanos = System.nanoTime() + timeout.toNanos();
		// A thread of a fork-join pool that waits for a future runs other tasks
		// meanwhile.
		CountDownLatch ended = new CountDownLatch(1);
		CompletableFuture<?> unused = operation.whenComplete((result, failure) -> ended.countDown());
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return ended.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
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
