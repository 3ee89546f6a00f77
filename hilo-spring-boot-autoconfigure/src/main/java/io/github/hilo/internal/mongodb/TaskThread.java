package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Hands tasks to a pool, now or later, for callers that must take no lock and start no
 * thread, such as an event loop. The JDK's own timer would not do: an application can
 * block it.
 * <p>
 * How it is safe: tasks come through a queue without locks to one thread, which is there
 * from the start, knows what is due and runs nothing itself.
 */
public final class TaskThread implements Executor, TimeSource, Runnable {

	private static final int MANY = 1_000;

	private final Executor pool;

	private final Queue<Task> added = new ConcurrentLinkedQueue<>();

	private final PriorityQueue<Task> later = new PriorityQueue<>();

	private final Thread thread;

	// How many tasks there are before those that were cancelled are sought.
	private int most = MANY;

	private volatile boolean closed;

	public TaskThread(String name, Executor pool) {
		this.pool = pool;
		this.thread = DaemonThreads.named(name).newThread(this);
		this.thread.start();
	}

	@Override
	public void execute(Runnable task) {
		after(Duration.ZERO, this.pool, task);
	}

	@Override
	public Runnable after(Duration delay, Executor executor, Runnable task) {
		Task added = new Task(nanoTime() + delay.toNanos(), executor, task);
		this.added.add(added);
		LockSupport.unpark(this.thread);
		if (this.closed && this.added.remove(added)) {
			if (!delay.isZero()) {
				return TimeSource.super.after(delay, executor, task);
			}
			executor.execute(task);
		}
		return added::cancel;
	}

	@Override
	public void run() {
		while (!this.closed || !this.added.isEmpty() || !this.later.isEmpty()) {
			for (Task task = this.added.poll(); task != null; task = this.added.poll()) {
				this.later.add(task);
			}
			if (this.closed || this.later.size() > this.most) {
				this.later.removeIf(Task::isCancelled);
				this.most = Math.max(MANY, 2 * this.later.size());
			}
			Task next = this.later.peek();
			long nanos = (next != null) ? next.atNanos - nanoTime() : Long.MAX_VALUE;
			if (nanos <= 0) {
				this.later.remove().start();
			}
			else if (this.added.isEmpty()) {
				LockSupport.parkNanos(this, nanos);
			}
		}
	}

	/**
	 * Ends the thread once nothing is due any more. Late tasks go another way.
	 */
	public void close() {
		this.closed = true;
		LockSupport.unpark(this.thread);
	}

	private static final class Task implements Comparable<Task> {

		private final long atNanos;

		private final Executor executor;

		private volatile @Nullable Runnable task;

		Task(long atNanos, Executor executor, Runnable task) {
			this.atNanos = atNanos;
			this.executor = executor;
			this.task = task;
		}

		void cancel() {
			this.task = null;
		}

		boolean isCancelled() {
			return this.task == null;
		}

		void start() {
			Runnable due = this.task;
			try {
				if (due != null) {
					this.executor.execute(due);
				}
			}
			// A thread could not be made, say: the task's caller has a limit of its own.
			catch (Throwable ex) {
				this.task = null;
			}
		}

		@Override
		public int compareTo(Task other) {
			return Long.compare(this.atNanos - other.atNanos, 0);
		}

	}

}
