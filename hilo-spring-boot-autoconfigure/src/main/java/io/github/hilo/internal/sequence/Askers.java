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
 * <li>A call that finds no number first reaches its sequence: a task adds the call to the
 * queue of waiters, or serves it ({@link RangeSequence#request}). The calls of a thread
 * reach their sequence in the order in which the thread asked. A call that finds a number
 * while an earlier call of the thread is on the way to the sequence does not take that
 * number, but goes the same way.
 * <li>Then the calls wait independently of each other. The answers of a thread are
 * published in the order in which the calls got their numbers, by one task after the
 * other. A call that finds a number is answered behind the answers that are not published
 * yet, and at once if there are none.
 * <li>What is asked by a task that publishes counts as asked by the thread of the
 * answers.
 * </ul>
 * A call never stands behind a call of another thread.
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
			// One step of the map, so that an asker whose last call ends meanwhile either
			// is not put back, or is put back before its removal.
			this.byThread.compute(thread, (current, served) -> (before != null && before.isOpen()) ? before : null);
		}
	}

}
