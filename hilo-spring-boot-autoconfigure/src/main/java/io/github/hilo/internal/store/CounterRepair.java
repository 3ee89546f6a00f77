package io.github.hilo.internal.store;

/**
 * What an operator should know of: why this process raised a counter that no caller had
 * asked it to raise, or passed over numbers.
 */
public enum CounterRepair {

	/**
	 * The counter was gone, although this process had used it.
	 */
	MISSING,

	/**
	 * The counter stood below numbers that this process had issued or held, because the
	 * database was restored or somebody lowered the counter.
	 */
	BEHIND,

	/**
	 * Stored documents had numbers of a range.
	 */
	STORED

}
