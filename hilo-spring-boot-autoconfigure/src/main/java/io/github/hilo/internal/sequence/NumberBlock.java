package io.github.hilo.internal.sequence;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Numbers that one caller requested at once, in as few runs of consecutive numbers as the
 * ranges allow. Not thread-safe: only the caller uses it or, while the caller waits, the
 * sequence under its lock.
 */
final class NumberBlock {

	private final int count;

	private final Queue<Run> runs = new ArrayDeque<>();

	private int missing;

	NumberBlock(int count) {
		this.count = count;
		this.missing = count;
	}

	Queue<Run> runs() {
		return this.runs;
	}

	/**
	 * Takes the missing numbers, or as many as the segment has left.
	 */
	void takeFrom(RangeCursor cursor) {
		long first = cursor.takeUpTo(this.missing);
		if (first != RangeCursor.NONE) {
			int taken = (int) Math.min(this.missing, cursor.end() - first + 1);
			this.runs.add(new Run(first, taken, cursor.held()));
			this.missing -= taken;
		}
	}

	/**
	 * Takes all missing numbers at once, without a lock, or none.
	 */
	boolean takeAllFrom(RangeCursor cursor) {
		long first = cursor.takeAll(this.missing);
		if (first != RangeCursor.NONE) {
			this.runs.add(new Run(first, this.missing, cursor.held()));
			this.missing = 0;
		}
		return isFull();
	}

	boolean isSeveral() {
		return this.count > 1;
	}

	int count() {
		return this.count;
	}

	boolean isFull() {
		return this.missing == 0;
	}

	long first() {
		return this.runs.element().first();
	}

	String firstDocumentId() {
		return this.runs.element().documentIds().findFirst().orElseThrow();
	}

	long[] numbers() {
		return this.runs.stream().flatMapToLong(Run::numbers).toArray();
	}

	List<String> documentIds() {
		return this.runs.stream().flatMap(Run::documentIds).collect(Collectors.toCollection(ArrayList::new));
	}

	record Run(long first, int count, HeldRange range) {

		long last() {
			return this.first + (this.count - 1);
		}

		LongStream numbers() {
			// Closed, because the number after the highest one possible would be
			// negative.
			return LongStream.rangeClosed(this.first, last());
		}

		Stream<String> documentIds() {
			return numbers().mapToObj(this.range::documentId);
		}

	}

}
