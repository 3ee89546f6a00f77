package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.github.hilo.internal.store.TimeSource;

/**
 * Runs tasks, now or later, on threads of its own, for callers that must not wait, such
 * as an event loop. Such a caller takes only the lock of the timer's queue, for an
 * instant. The timer's thread passes the tasks to a pool, and runs none itself. The JDK's
 * shared timer would not do, because an application can block it.
 * <p>
 * Thread-safe: all fields are final, and the executors are thread-safe.
 */
public final class TaskTimer implements Executor, TimeSource {

	private static final int MOST_THREADS = 64;

	// So many frames are larger than what the JDK needs to schedule a task.
	private static final int RESERVED_FRAMES = 512;

	// For tasks that come after close().
	private final ThreadFactory late = DaemonThreads.named("hilo-late-");

	private final ThreadPoolExecutor threads = DaemonThreads.pool("hilo-tasks-", MOST_THREADS);

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.named("hilo-timer-"));

	public TaskTimer() {
		this.timer.setRemoveOnCancelPolicy(true);
	}

	@Override
	public void execute(Runnable task) {
		requireStack();
		try {
			this.timer.execute(() -> start(task));
		}
		catch (RejectedExecutionException ex) {
			start(task);
		}
	}

	private void start(Runnable task) {
		try {
			this.threads.execute(task);
		}
		catch (RejectedExecutionException ex) {
			this.late.newThread(task).start();
		}
	}

	@Override
	public Runnable after(Duration delay, Executor executor, Runnable task) {
		requireStack();
		try {
			Future<?> due = this.timer.schedule(() -> executor.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
			return () -> {
				requireStack();
				due.cancel(false);
			};
		}
		catch (RejectedExecutionException ex) {
			return TimeSource.super.after(delay, executor, task);
		}
	}

	/**
	 * Fails on the thread of a caller that has recursed too deeply, before the JDK's
	 * queue changes. A stack overflow within the queue breaks it for all later tasks.
	 */
	private static void requireStack() {
		use(RESERVED_FRAMES, 1, 2, 3);
	}

	// All are needed after the call, so that each frame keeps them.
	private static long use(int frames, long first, long second, long third) {
		return (frames == 0) ? first : use(frames - 1, second, third, first) + first * second + third;
	}

	/**
	 * Ends the threads when no call waits for its limit any more. Tasks that come later
	 * still run.
	 */
	public void close() {
		this.timer.shutdown();
		this.threads.shutdown();
	}

}
