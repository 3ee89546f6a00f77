package io.github.hilo;

import java.util.Arrays;
import java.util.List;

/**
 * One sequence, held by a caller that issues many ids. A handle for the default database
 * resolves it on every call, as the generator does.
 * <p>
 * An implementation must provide {@link #nextId}, {@link #nextDocumentId} and
 * {@link #ensureAtLeast}. Whatever is added later is a default method, too.
 * <p>
 * Thread-safe; throws what {@link HiLoIdGenerator} throws.
 */
public interface HiLoSequence {

	/**
	 * The largest size of a block: {@value}. A larger one could use up a counter by
	 * mistake, and must be split.
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
	 * Raises the counter; see {@link HiLoIdGenerator#ensureAtLeast(String, long)}.
	 * @param floor the highest number in use, from 1 to {@link HiLoIdGenerator#MAX_FLOOR}
	 * @return where the counter stands, at least at the floor
	 * @throws IllegalArgumentException if the floor is out of bounds
	 */
	long ensureAtLeast(long floor);

	/**
	 * Issues a block of numbers at once, for imports. A sequence of the starter takes
	 * what is left of the range in use, and at most one reservation for the rest. The
	 * numbers are consecutive where the ranges are: where no other process was granted a
	 * range in between.
	 * @param count how many, from 1 to {@link #MAX_COUNT}
	 * @return the numbers, in ascending order
	 * @throws IllegalArgumentException if the count is out of bounds
	 */
	default long[] nextIds(int count) {
		long[] numbers = new long[Arguments.requireCount(count)];
		Arrays.setAll(numbers, (i) -> nextId());
		return numbers;
	}

	/**
	 * Issues a block of document ids at once, as {@link #nextIds} does for numbers.
	 * @param count how many, from 1 to {@link #MAX_COUNT}
	 * @return the ids, by ascending number
	 * @throws IllegalArgumentException if the count is out of bounds
	 */
	default List<String> nextDocumentIds(int count) {
		String[] ids = new String[Arguments.requireCount(count)];
		Arrays.setAll(ids, (i) -> nextDocumentId());
		return List.of(ids);
	}

}
