package io.github.hilo.engine;

import java.util.ArrayDeque;
import java.util.Queue;

import org.jspecify.annotations.Nullable;

/**
 * The raises of a counter that are to come. Not thread-safe: its sequence's lock guards
 * it.
 */
final class RaiseQueue {

	// Small: most sequences are never raised.
	private final Queue<Operation.Raise> raises = new ArrayDeque<>(1);

	RaiseQueue copy() {
		RaiseQueue copy = new RaiseQueue();
		this.raises.forEach((raise) -> copy.add(raise.copy()));
		return copy;
	}

	void add(Operation.Raise raise) {
		this.raises.add(raise);
	}

	/**
	 * Removes the first one that somebody still waits for.
	 */
	Operation.@Nullable Raise poll() {
		this.raises.removeIf((raise) -> raise.answer().isDone());
		return this.raises.poll();
	}

	/**
	 * Lets every one fail.
	 */
	void refuse(RuntimeException failure, Effects effects) {
		this.raises.forEach((raise) -> effects.end(raise, null, failure));
		this.raises.clear();
	}

}
