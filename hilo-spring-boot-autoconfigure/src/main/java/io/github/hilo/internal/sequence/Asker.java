package io.github.hilo.internal.sequence;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A thread that has asked for numbers and must not wait for them, and the answers that it
 * gets in the order in which it asked.
 * <p>
 * Thread-safe: all fields are final and thread-safe. An answer is added under the lock of
 * its sequence, and only the task that has set {@code publishing} removes answers.
 */
final class Asker {

	// After so many answers, tasks that wait for this thread get their turn.
	private static final int MOST_AT_ONCE = 256;

	private final Askers askers;

	private final Thread thread;

	private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean publishing = new AtomicBoolean();

	// Calls whose outcome was not published yet, and a task that publishes.
	private final AtomicInteger open = new AtomicInteger();

	// Calls that no step of their sequence has seen yet.
	private final AtomicInteger asking = new AtomicInteger();

	Asker(Askers askers, Thread thread) {
		this.askers = askers;
		this.thread = thread;
	}

	Thread thread() {
		return this.thread;
	}

	boolean isOpen() {
		return this.open.get() > 0;
	}

	void addCall() {
		this.open.incrementAndGet();
	}

	void removeCall() {
		if (this.open.decrementAndGet() == 0) {
			this.askers.remove(this);
		}
	}

	void startAsking() {
		this.asking.incrementAndGet();
	}

	/**
	 * Records that a step has seen a call, which now waits, or whose answer was added.
	 */
	void stopAsking() {
		this.asking.decrementAndGet();
	}

	boolean isAsking() {
		return this.asking.get() > 0;
	}

	/**
	 * Returns whether an earlier call of the thread has its number, and was not told yet.
	 */
	boolean isPublishing() {
		// In this order: the task has set publishing before it removes an answer.
		return !this.answers.isEmpty() || this.publishing.get();
	}

	/**
	 * Adds an answer behind the others. Call {@link #publish()} once no lock is held.
	 */
	void add(Runnable answer) {
		this.answers.add(answer);
	}

	void publish() {
		if (!this.answers.isEmpty() && this.publishing.compareAndSet(false, true)) {
			addCall();
			try {
				this.askers.execute(this::publishAll);
			}
			// For example, the stack is used up. The next answer tries again.
			catch (Throwable ex) {
				this.publishing.set(false);
				removeCall();
				throw ex;
			}
		}
	}

	private void publishAll() {
		try {
			this.askers.during(this, () -> {
				for (int i = 0; i < MOST_AT_ONCE && !this.answers.isEmpty(); i++) {
					this.answers.remove().run();
				}
			});
		}
		finally {
			this.publishing.set(false);
			// Of answers that came meanwhile, or that were left.
			publish();
			removeCall();
		}
	}

}
