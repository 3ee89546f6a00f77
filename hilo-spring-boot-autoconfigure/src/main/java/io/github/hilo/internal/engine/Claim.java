package io.github.hilo.internal.engine;

/**
 * A call's claim of a field for the counter from which it asks for a number. The field
 * belongs to the counter from which the first number was issued. A claim from which none
 * was issued ends with its last call. Thread-safe.
 */
public interface Claim {

	/**
	 * For calls whose field cannot have a second counter.
	 */
	Claim NONE = new Claim() {
	};

	/**
	 * Records that a number was issued for the field.
	 */
	default void issued() {
	}

	/**
	 * Returns whether later calls for the field need no claim.
	 */
	default boolean isForGood() {
		return true;
	}

	/**
	 * Records that the call has ended.
	 */
	default void end() {
	}

}
