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

	/**
	 * Whether the last operation was a raise: then it is the waiters' turn.
	 */
	private boolean lastWasRaise;

	void add(Operation.Raise raise) {
		this.raises.add(raise);
	}

	/**
	 * Does as {@link #poll()} does if it is the turn of a raise.
	 * @param nobodyWaits whether no caller waits for a number
	 */
	Operation.@Nullable Raise pollInTurn(boolean nobodyWaits) {
		return (!this.lastWasRaise || nobodyWaits) ? poll() : null;
	}

	/**
	 * Something, or nothing, was started.
	 */
	void started(@Nullable Operation<?> operation) {
		this.lastWasRaise = operation instanceof Operation.Raise;
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
