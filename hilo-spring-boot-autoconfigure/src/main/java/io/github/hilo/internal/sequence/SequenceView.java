package io.github.hilo.internal.sequence;

/**
 * Shows a sequence at any time, without taking a number, sending anything or waiting for
 * an answer. Internal; thread-safe.
 *
 * @hidden
 */
public interface SequenceView {

	String database();

	String name();

	SequenceSnapshot snapshot();

}
