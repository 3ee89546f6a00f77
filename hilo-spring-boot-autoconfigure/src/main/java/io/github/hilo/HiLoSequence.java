package io.github.hilo;

import java.util.List;

/**
 * One sequence, held by a caller that issues many ids. A handle for the default database
 * resolves it on every call, as the generator does.
 * <p>
 * Thread-safe; throws what {@link HiLoIdGenerator} throws.
 */
public interface HiLoSequence {

	/**
	 * The most numbers that can be asked for at once: {@value}. A larger block could use
	 * up a counter by mistake, and has to be made of several.
	 */
	int MAX_COUNT = 1_048_576;

	/**
	 * Issues the next number.
	 * @return a number, at least 1
	 */
	long nextId();

	/**
	 * Issues the next document id.
	 * @return an id such as {@code orders/54-A}
	 */
	String nextDocumentId();

	/**
	 * Issues a block of numbers at once, for imports. It takes what is left of the range
	 * in use, and at most one reservation for the rest. The numbers are consecutive where
	 * the ranges are: where no other process was granted a range in between.
	 * @param count how many, from 1 to {@link #MAX_COUNT}
	 * @return the numbers, in ascending order
	 * @throws IllegalArgumentException if the count is out of bounds
	 */
	long[] nextIds(int count);

	/**
	 * Issues a block of document ids at once, as {@link #nextIds} does for numbers.
	 * @param count how many, from 1 to {@link #MAX_COUNT}
	 * @return the ids, by ascending number
	 * @throws IllegalArgumentException if the count is out of bounds
	 */
	List<String> nextDocumentIds(int count);

}
