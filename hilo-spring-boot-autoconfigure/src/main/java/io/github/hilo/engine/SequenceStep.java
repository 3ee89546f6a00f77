package io.github.hilo.engine;

/**
 * Something that a {@link SequenceState} handles.
 */
@FunctionalInterface
interface SequenceStep {

	/**
	 * Lets the state handle it.
	 * @param now when it happens
	 * @param effects collects what it leads to
	 */
	void handle(SequenceState state, Moment now, Effects effects);

}
