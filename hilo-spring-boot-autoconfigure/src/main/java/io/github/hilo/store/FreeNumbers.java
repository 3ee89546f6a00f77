package io.github.hilo.store;

/**
 * What this process knows of the numbers of a sequence that are free in a place.
 * Internal. Takes no lock: asked with every number that is used there.
 *
 * @hidden
 */
public interface FreeNumbers {

	/**
	 * Every id counts as free, where stored ids are not checked.
	 */
	FreeNumbers UNCHECKED = new FreeNumbers() {

		@Override
		public boolean isFree(long number) {
			return true;
		}

		@Override
		public boolean isFree(String documentId) {
			return true;
		}

	};

	/**
	 * Whether a number was found free in the place. Otherwise it must be confirmed.
	 */
	boolean isFree(long number);

	boolean isFree(String documentId);

	default boolean isFree(Object issued) {
		// A mock of the generator issues null, and the document gets no id of ours.
		return (issued instanceof Long number) ? isFree(number.longValue())
				: !(issued instanceof String documentId) || isFree(documentId);
	}

}
