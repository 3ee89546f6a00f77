package io.github.hilo.sequence;

/**
 * Where an engine stands in its life. Internal.
 *
 * @hidden
 */
public enum EngineMode {

	/**
	 * Ranges are reserved and held.
	 */
	RUNNING,

	/**
	 * Nothing is held: a late saver still gets a number, by a reservation of its own.
	 */
	PAUSED,

	/**
	 * Nothing is issued any more.
	 */
	CLOSED

}
