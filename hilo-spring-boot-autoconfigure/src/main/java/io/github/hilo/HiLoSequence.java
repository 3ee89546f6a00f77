package io.github.hilo;

/**
 * One sequence, held by a caller that issues many ids. A handle for the default database
 * resolves it on every call, as the generator does.
 * <p>
 * Thread-safe; throws what {@link HiLoIdGenerator} throws.
 */
public interface HiLoSequence {

	/**
	 * Issues the next number.
	 * @return a number, at least 1
	 */
	long next();

	/**
	 * Issues the next document id.
	 * @return an id such as {@code orders/54-A}
	 */
	String nextDocumentId();

}
