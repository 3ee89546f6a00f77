package io.github.hilo;

import java.util.Arrays;
import java.util.List;

/**
 * A handle of one sequence, for callers that issue many ids. A handle for the default
 * database resolves the database on every call, as the generator does.
 * <p>
 * An implementation must provide {@link #nextId}, {@link #nextDocumentId} and
 * {@link #ensureAtLeast}. All other methods, and any added later, are default methods.
 * <p>
 * Thread-safe. The methods throw the same exceptions as those of {@link HiLoIdGenerator}.
 */
public interface HiLoSequence {

	/**
	 * The largest size of a block: {@value}. Split larger ones: with a wrong size, one
	 * call could use up a counter.
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
	 * @param floor the highest number in use, from 1 to
	 * {@link HiLoIdGenerator#MAX_NUMBER}
	 * @return where the counter stands, at least at the floor
	 * @throws IllegalArgumentException if the floor is out of bounds
	 */
	long ensureAtLeast(long floor);

	/**
	 * Issues a block of numbers at once, for imports. A sequence of the starter uses the
	 * rest of the current range, and makes at most one reservation for the others. The
	 * numbers are consecutive if no other process was granted a range in between.
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
