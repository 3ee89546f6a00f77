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

		@Override
		public void issued() {
		}

		@Override
		public boolean isForGood() {
			return true;
		}

		@Override
		public void end() {
		}

	};

	/**
	 * Records that a number was issued for the field.
	 */
	void issued();

	/**
	 * Returns whether later calls for the field need no claim.
	 */
	boolean isForGood();

	/**
	 * Records that the call has ended.
	 */
	void end();

}
