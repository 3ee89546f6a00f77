package io.github.hilo.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.LongStream;

/**
 * Numbers that one caller asked for at once: as few runs of consecutive numbers as the
 * ranges allow. Its sequence's lock guards it until the caller has it.
 */
final class NumberBlock {

	private final int count;

	private final Queue<Run> runs = new ArrayDeque<>();

	private int missing;

	NumberBlock(int count) {
		this.count = count;
		this.missing = count;
	}

	/**
	 * Takes as many numbers as are missing, or as the segment has left.
	 */
	void takeFrom(RangeCursor cursor) {
		if (this.missing > 0) {
			long first = cursor.takeUpTo(this.missing);
			if (first != RangeCursor.NONE) {
				int taken = (int) Math.min(this.missing, cursor.end() - first + 1);
				this.runs.add(new Run(first, taken, cursor));
				this.missing -= taken;
			}
		}
	}

	/**
	 * Takes all numbers at once, without a lock, or none.
	 * @param cursor a cursor that others may take from
	 * @return whether the segment had enough
	 */
	boolean takeAllFrom(RangeCursor cursor) {
		long first = cursor.takeAll(this.missing);
		if (first != RangeCursor.NONE) {
			this.runs.add(new Run(first, this.missing, cursor));
			this.missing = 0;
		}
		return isFull();
	}

	int count() {
		return this.count;
	}

	int missing() {
		return this.missing;
	}

	boolean isFull() {
		return this.missing == 0;
	}

	/**
	 * Drops what was taken, and misses all of it again.
	 */
	void restart() {
		this.runs.clear();
		this.missing = this.count;
	}

	/**
	 * The numbers, each with the range that it came from.
	 */
	List<IssuedNumber> issued() {
		List<IssuedNumber> issued = new ArrayList<>(this.count);
		for (Run run : this.runs) {
			run.numbers().forEach((number) -> issued.add(new IssuedNumber(number, run.range())));
		}
		return issued;
	}

	long[] numbers() {
		return this.runs.stream().flatMapToLong(Run::numbers).toArray();
	}

	List<String> documentIds() {
		List<String> ids = new ArrayList<>(this.count);
		for (Run run : this.runs) {
			run.numbers().forEach((number) -> ids.add(run.range().documentId(number)));
		}
		return ids;
	}

	/**
	 * Consecutive numbers of one range.
	 */
	private record Run(long first, int count, RangeCursor range) {

		LongStream numbers() {
			// Closed: what follows the highest number there is would be negative.
			return LongStream.rangeClosed(this.first, this.first + (this.count - 1));
		}

	}

}
