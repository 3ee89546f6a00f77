package io.github.hilo.store;

/**
 * What this process knows of the numbers of a sequence that are free in a place.
 * Internal.
 * <p>
 * Thread-safe, without a lock: asked with every number that is used there.
 *
 * @hidden
 */
public interface FreeNumbers {

	/**
	 * Whether a number was found free in the place. Otherwise it must be confirmed.
	 * @param number a number that was issued
	 * @return {@code true} if no document there has it
	 */
	boolean isFree(long number);

	/**
	 * Whether a text was found free in the place. Otherwise it must be confirmed.
	 * @param documentId a document id that was issued
	 * @return {@code true} if no document there has it
	 */
	boolean isFree(String documentId);

	/**
	 * Whether an id was found free in the place. Otherwise it must be confirmed.
	 * @param issued a number or a document id
	 * @return {@code true} if no document there has it
	 */
	default boolean isFree(Object issued) {
		return (issued instanceof Long number) ? isFree(number.longValue()) : isFree((String) issued);
	}

}
