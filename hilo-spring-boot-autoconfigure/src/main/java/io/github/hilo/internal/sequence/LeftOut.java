package io.github.hilo.internal.sequence;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Numbers that a sequence never issues, because the application has chosen them or a
 * document has them. They are kept as at most {@value #MOST} intervals that do not touch.
 * If there are more, the two nearest become one, so that no number is forgotten. Not
 * thread-safe: the lock of the sequence guards it.
 */
final class LeftOut {

	private static final int MOST = 1_000;

	// The last number of each interval, by its first.
	private final NavigableMap<Long, Long> intervals = new TreeMap<>();

	void add(long first, long last) {
		long from = first;
		long to = last;
		Map.Entry<Long, Long> below = this.intervals.floorEntry(first);
		if (below != null && below.getValue() >= first - 1) {
			from = below.getKey();
		}
		Map.Entry<Long, Long> highest = this.intervals.floorEntry(last + 1);
		if (highest != null) {
			to = Math.max(last, highest.getValue());
		}
		// Before anything is removed, so that an error forgets no number.
		this.intervals.put(from, to);
		this.intervals.subMap(from, false, to, true).clear();
		if (this.intervals.size() > MOST) {
			joinNearest();
		}
	}

	private void joinNearest() {
		long nearest = Long.MAX_VALUE;
		long lower = 0;
		Map.Entry<Long, Long> before = this.intervals.firstEntry();
		for (Map.Entry<Long, Long> interval : this.intervals.tailMap(before.getKey(), false).entrySet()) {
			if (interval.getKey() - before.getValue() < nearest) {
				nearest = interval.getKey() - before.getValue();
				lower = before.getKey();
			}
			before = interval;
		}
		Map.Entry<Long, Long> higher = this.intervals.higherEntry(lower);
		this.intervals.put(lower, higher.getValue());
		this.intervals.remove(higher.getKey());
	}

	/**
	 * Returns the first number that is not left out, from a number on.
	 */
	long firstIssuable(long number) {
		Map.Entry<Long, Long> interval = this.intervals.floorEntry(number);
		return (interval != null && interval.getValue() >= number) ? interval.getValue() + 1 : number;
	}

	/**
	 * Returns the last of the consecutive numbers that are not left out.
	 * @param first the first of them
	 * @param max the last number to consider
	 */
	long lastIssuable(long first, long max) {
		Long next = this.intervals.higherKey(first);
		return (next != null) ? Math.min(max, next - 1) : max;
	}

	/**
	 * Counts the numbers of an interval that are left out.
	 */
	long count(long first, long last) {
		long count = 0;
		Long from = this.intervals.floorKey(first);
		for (Map.Entry<Long, Long> interval : this.intervals.subMap((from != null) ? from : first, true, last, true)
			.entrySet()) {
			count += Math.max(0, Math.min(last, interval.getValue()) + 1 - Math.max(first, interval.getKey()));
		}
		return count;
	}

	/**
	 * Returns the last number up to a limit that is left out, or 0.
	 */
	long lastUpTo(long number) {
		Map.Entry<Long, Long> interval = this.intervals.floorEntry(number);
		return (interval != null) ? Math.min(number, interval.getValue()) : 0;
	}

	long highest() {
		return this.intervals.isEmpty() ? 0 : this.intervals.lastEntry().getValue();
	}

	void forgetBelow(long number) {
		Map.Entry<Long, Long> first = this.intervals.firstEntry();
		while (first != null && first.getValue() < number) {
			this.intervals.remove(first.getKey());
			first = this.intervals.firstEntry();
		}
	}

}
