package io.github.hilo.internal.engine;

import io.github.hilo.internal.sequence.SequenceEvent;

/**
 * Receives events about an engine's sequences. Internal.
 * <p>
 * Called by any number of threads, never while a lock is held, and never by a call that
 * finds a number in memory. What it throws is logged and harms nobody, but callers of the
 * same sequence wait until it returns.
 *
 * @hidden
 */
@FunctionalInterface
public interface EngineListener {

	/**
	 * Something has happened.
	 * @param event what, and to which sequence
	 */
	void on(SequenceEvent event);

}
