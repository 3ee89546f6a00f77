package io.github.hilo.internal.sequence;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/**
 * The threads that have asked for numbers without waiting for them. What a thread gets is
 * published in the order in which it asked, so that the elements of a reactive list keep
 * their order: Spring Data asks for all of them on one thread, and stores them in the
 * order in which they get their ids.
 * <ul>
 * <li>The calls of a thread reach their sequence in their order
 * ({@link RangeSequence#request}). While an earlier call of its thread has not reached
 * its sequence, a call does not take a number that it finds, but follows that call.
 * <li>The answers of a thread are published by one task after the other. A call that
 * finds a number is answered behind those answers, and at once if there are none.
 * <li>What is asked by such a task counts as asked by the thread that the task serves.
 * </ul>
 * No call stands behind that of another thread, or behind one that still waits.
 * <p>
 * Thread-safe: {@code byThread} is a concurrent map. A thread is in it while a call of
 * it, or a task, is open.
 */
public final class Askers {

	private final Executor publisher;

	private final Map<Thread, Asker> byThread = new ConcurrentHashMap<>();

	/**
	 * @param publisher publishes answers, which runs code of callers
	 */
	public Askers(Executor publisher) {
		this.publisher = publisher;
	}

	/**
	 * Returns the current thread with its calls, or {@code null} if none is open.
	 */
	@Nullable Asker current() {
		return this.byThread.get(Thread.currentThread());
	}

	/**
	 * Adds a call of the current thread.
	 */
	Asker addCall() {
		return this.byThread.compute(Thread.currentThread(), (thread, known) -> {
			Asker asker = (known != null) ? known : new Asker(this, thread);
			asker.addCall();
			return asker;
		});
	}

	void remove(Asker asker) {
		this.byThread.computeIfPresent(asker.thread(),
				(thread, known) -> (known == asker && !asker.isOpen()) ? null : known);
	}

	void execute(Runnable task) {
		this.publisher.execute(task);
	}

	/**
	 * Runs a task on behalf of another thread.
	 */
	void during(Asker asker, Runnable task) {
		Thread thread = Thread.currentThread();
		Asker before = this.byThread.put(thread, asker);
		try {
			task.run();
		}
		finally {
			this.byThread.compute(thread, (current, served) -> (before != null && before.isOpen()) ? before : null);
		}
	}

}
