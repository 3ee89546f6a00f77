package io.github.hilo.engine;

/**
 * Where an engine stands in its life.
 */
enum EngineMode {

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
