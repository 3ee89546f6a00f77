package io.github.hilo.internal.mongodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Tasks;

/**
 * Runs tasks, now or later, on threads of its own, for callers that must not wait, such
 * as an event loop. Such a caller takes only the lock of the timer's queue, for an
 * instant. The timer's thread passes the tasks to a pool, and runs none itself. The JDK's
 * shared timer would not do, because an application can block it.
 * <p>
 * Thread-safe: all fields are final, and the executors are thread-safe.
 */
public final class TaskTimer implements Tasks {

	// So many frames are larger than what the JDK needs to schedule a task.
	private static final int RESERVED_FRAMES = 512;

	private static final long IDLE_MILLIS_AFTER_CLOSE = 100;

	private static final long MILLIS_TO_NEXT_TRY = 100;

	private final ThreadPoolExecutor threads = DaemonThreads.pool("hilo-tasks-");

	private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1,
			DaemonThreads.named("hilo-timer-"));

	public TaskTimer() {
		this.timer.setRemoveOnCancelPolicy(true);
	}

	@Override
	public void execute(Runnable task) {
		requireStack();
		this.timer.execute(() -> pass(task));
	}

	@Override
	public Future<?> whenOver(Deadline deadline, Runnable task) {
		requireStack();
		return this.timer.schedule(() -> pass(task), deadline.left().toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Passes a task to a thread. If none can be created now, tries again later, because
	 * callers would wait for a lost task.
	 */
	private void pass(Runnable task) {
		try {
			this.threads.execute(task);
		}
		catch (Throwable ex) {
			Future<?> unused = this.timer.schedule(() -> pass(task), MILLIS_TO_NEXT_TRY, TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * Lets a future fail if it has not ended by a deadline.
	 */
	void limit(CompletableFuture<?> future, Deadline deadline, Supplier<Exception> failure) {
		if (!future.isDone()) {
			Future<?> due = whenOver(deadline, () -> future.completeExceptionally(failure.get()));
			CompletableFuture<?> unused = future.whenComplete((result, ended) -> {
				requireStack();
				due.cancel(false);
			});
		}
	}

	/**
	 * Fails on the thread of a caller that has recursed too deeply, before the JDK's
	 * queue changes. A stack overflow within the queue breaks it for all later tasks.
	 */
	static void requireStack() {
		use(RESERVED_FRAMES, 1, 2, 3);
	}

	// All are needed after the call, so that each frame keeps them.
	private static long use(int frames, long first, long second, long third) {
		return (frames == 0) ? first : use(frames - 1, second, third, first) + first * second + third;
	}

	/**
	 * Ends the threads as soon as they are idle and no call waits for its limit any more.
	 * Tasks that come later still run.
	 */
	public void close() {
		this.timer.setKeepAliveTime(IDLE_MILLIS_AFTER_CLOSE, TimeUnit.MILLISECONDS);
		this.timer.allowCoreThreadTimeOut(true);
		this.threads.setKeepAliveTime(IDLE_MILLIS_AFTER_CLOSE, TimeUnit.MILLISECONDS);
	}

}
