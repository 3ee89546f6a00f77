package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Repeats a task on the library's threads while it is needed, with a pause before each
 * run.
 * <p>
 * Thread-safe: {@code next} is volatile, and this object's lock guards its changes and
 * {@code closed}. No code of others runs under the lock but that of {@code tasks} and
 * {@code isNeeded}.
 */
public final class RepeatedTask implements AutoCloseable {

	private final Duration pause;

	private final TimeSource time;

	private final Tasks tasks;

	private final Runnable task;

	private final BooleanSupplier isNeeded;

	// The next run, or null if none is planned.
	private volatile @Nullable Future<?> next;

	private boolean closed;

	public RepeatedTask(Duration pause, TimeSource time, Tasks tasks, Runnable task, BooleanSupplier isNeeded) {
		this.pause = pause;
		this.time = time;
		this.tasks = tasks;
		this.task = task;
		this.isNeeded = isNeeded;
	}

	/**
	 * Plans a run, unless one is planned. Call this each time that the task is needed,
	 * because an error may have kept the last run from being planned.
	 */
	public void plan() {
		if (this.next == null) {
			planNext();
		}
	}

	private synchronized void planNext() {
		if (this.next == null && !this.closed) {
			this.next = this.tasks.whenOver(new Deadline(this.pause, this.time), this::run);
		}
	}

	private void run() {
		try {
			this.task.run();
		}
		finally {
			synchronized (this) {
				this.next = null;
				if (this.isNeeded.getAsBoolean()) {
					planNext();
				}
			}
		}
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		Future<?> planned = this.next;
		if (planned != null) {
			planned.cancel(false);
		}
	}

}
