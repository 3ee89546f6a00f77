package io.github.hilo.internal.store;

/**
 * Why a counter had to be raised by this process itself.
 */
public enum CounterRepair {

	/**
	 * It was gone, although this process had used it.
	 */
	MISSING,

	/**
	 * It stood behind numbers that were issued: the database was restored, or somebody
	 * lowered it.
	 */
	BEHIND,

	/**
	 * Stored documents had numbers above it.
	 */
	STORED

}
