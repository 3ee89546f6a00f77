package io.github.hilo.sequence;

/**
 * Shows a sequence at any time, without taking a number, sending anything or waiting for
 * an answer. Internal; thread-safe.
 *
 * @hidden
 */
public interface SequenceView {

	/**
	 * Returns the name of the sequence's database.
	 * @return the name
	 */
	String database();

	/**
	 * Returns the sequence's name.
	 * @return the exact name of the counter
	 */
	String name();

	/**
	 * Shows the sequence.
	 * @return what it looks like now
	 */
	SequenceSnapshot snapshot();

}
