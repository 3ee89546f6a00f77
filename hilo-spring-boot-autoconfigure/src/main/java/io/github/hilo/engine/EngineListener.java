package io.github.hilo.engine;

import java.util.List;

/**
 * Receives events about an engine's sequences. Internal.
 * <p>
 * Called by any number of threads, never while a lock is held, and never by a call that
 * finds a number in memory. What it throws is logged and harms nobody, but callers wait
 * until it returns.
 *
 * @hidden
 */
@FunctionalInterface
public interface EngineListener {

	/**
	 * Ignores every event.
	 */
	EngineListener NONE = (database, sequence, view) -> SequenceListener.NONE;

	/**
	 * Tells several listeners, one after the other. What one throws is logged and keeps
	 * nothing from the others.
	 * @param listeners the listeners
	 * @return a listener that tells them all
	 */
	static EngineListener of(List<? extends EngineListener> listeners) {
		return new ListenerGroup(
				listeners.stream().<EngineListener>map((listener) -> new FaultTolerantListener(listener)).toList());
	}

	/**
	 * A sequence is used for the first time.
	 * @param database the sequence's database
	 * @param sequence the sequence's name
	 * @param view shows the sequence
	 * @return what receives the events of this sequence from now on
	 */
	SequenceListener created(String database, String sequence, SequenceView view);

	/**
	 * The engine was closed; its sequences issue nothing any more.
	 */
	default void closed() {
	}

}
