package io.github.hilo.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The clock and timer of the engine. Tests and simulations run the same code with a clock
 * of their own.
 */
public interface TimeSource {

	TimeSource SYSTEM = new TimeSource() {
	};

	default Instant now() {
		return Instant.now();
	}

	default long nanoTime() {
		return System.nanoTime();
	}

	/**
	 * Runs a task later; the task must not block.
	 * @return cancels the task when it is run
	 */
	default Runnable after(Duration delay, Executor executor, Runnable task) {
		FutureTask<?> due = new FutureTask<>(task, null);
		CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, executor).execute(due);
		return () -> due.cancel(false);
	}

}
