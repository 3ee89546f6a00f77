package io.github.hilo.engine;

/**
 * Shows a sequence at any time, without taking a number, sending anything or waiting for
 * an answer. Internal; thread-safe.
 *
 * @hidden
 */
public interface SequenceView {

	/**
	 * Shows the sequence.
	 * @return what it looks like now
	 */
	SequenceSnapshot snapshot();

	/**
	 * Tells whether ids can be issued.
	 * @return its health now
	 */
	SequenceHealth health();

}
