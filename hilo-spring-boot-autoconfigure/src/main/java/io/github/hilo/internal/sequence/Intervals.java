package io.github.hilo.internal.sequence;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;

/**
 * A set of numbers, kept as intervals that do not touch. Its owner bounds it by
 * {@link #reduce}, which gives up the smallest gaps: the set then has more numbers than
 * were added, and never fewer.
 * <p>
 * Thread-safe for {@link #has}: an interval is put before those that it joins are
 * removed. A lock of the owner guards everything else.
 */
final class Intervals {

	// The last number of each interval, by its first one.
	private final ConcurrentNavigableMap<Long, Long> lasts = new ConcurrentSkipListMap<>();

	private long count;

	/**
	 * Returns whether the set has a number, for any thread.
	 */
	boolean has(long number) {
		Map.Entry<Long, Long> interval = this.lasts.floorEntry(number);
		return interval != null && interval.getValue() >= number;
	}

	void add(long first, long last) {
		Map.Entry<Long, Long> below = this.lasts.floorEntry(first);
		boolean touches = below != null && below.getValue() >= first - 1;
		long from = touches ? below.getKey() : first;
		if (!touches || below.getValue() < last) {
			extend(from, last);
		}
	}

	/**
	 * Lets an interval end at a number or above, and joins it with those that it touches.
	 */
	private void extend(long first, long last) {
		put(first, last);
		Map.Entry<Long, Long> above = this.lasts.higherEntry(first);
		while (above != null && above.getKey() <= last + 1) {
			put(first, Math.max(last, above.getValue()));
			remove(above);
			above = this.lasts.higherEntry(first);
		}
	}

	private void put(long first, long last) {
		Long before = this.lasts.put(first, last);
		this.count += last - ((before != null) ? before : first - 1);
	}

	private void remove(Map.Entry<Long, Long> interval) {
		this.lasts.remove(interval.getKey());
		this.count -= interval.getValue() + 1 - interval.getKey();
	}

	/**
	 * Adds the part of each interval that lies between two numbers to another set.
	 */
	void addTo(Intervals other, long first, long last) {
		Long from = this.lasts.floorKey(first);
		this.lasts.subMap((from != null) ? from : first, true, last, true)
			.forEach((low, high) -> other.addWithin(first, last, low, high));
	}

	private void addWithin(long first, long last, long low, long high) {
		if (high >= first) {
			add(Math.max(first, low), Math.min(last, high));
		}
	}

	/**
	 * Returns how many numbers the set has.
	 */
	long count() {
		return this.count;
	}

	/**
	 * Returns how many intervals there are.
	 */
	int size() {
		return this.lasts.size();
	}

	/**
	 * Returns the highest number, or 0.
	 */
	long highest() {
		Map.Entry<Long, Long> highest = this.lasts.lastEntry();
		return (highest != null) ? highest.getValue() : 0;
	}

	/**
	 * Returns the first number from another one on that the set does not have.
	 */
	long firstMissing(long from) {
		Map.Entry<Long, Long> around = this.lasts.floorEntry(from);
		return (around != null) ? Math.max(from, around.getValue() + 1) : from;
	}

	/**
	 * Returns the last number before the next interval.
	 * @param first a number that the set does not have
	 * @param max the last number to consider
	 */
	long lastMissing(long first, long max) {
		Long next = this.lasts.higherKey(first);
		return (next != null) ? Math.min(max, next - 1) : max;
	}

	/**
	 * Removes the intervals that end below a number.
	 */
	void removeBelow(long number) {
		for (Map.Entry<Long, Long> first = this.lasts.firstEntry(); first != null
				&& first.getValue() < number; first = this.lasts.firstEntry()) {
			remove(first);
		}
	}

	/**
	 * Closes the smallest gaps of some sets, and of equal ones those that lie highest,
	 * until the sets have a number of intervals, at least one for each.
	 */
	static void reduce(List<Intervals> sets, int most) {
		int excess = sets.stream().mapToInt(Intervals::size).sum() - most;
		if (excess > 0) {
			long[] gaps = sets.stream().flatMapToLong(Intervals::gaps).sorted().toArray();
			long largest = gaps[Math.min(excess, gaps.length) - 1];
			int kept = (int) LongStream.of(gaps).filter((gap) -> gap <= largest).count() - excess;
			for (Intervals set : sets) {
				kept = set.closeGaps(largest, kept);
			}
		}
	}

	private LongStream gaps() {
		long[] end = { 0 };
		return this.lasts.entrySet().stream().mapToLong((interval) -> {
			long gap = interval.getKey() - end[0];
			end[0] = interval.getValue();
			return gap;
		}).skip(1);
	}

	/**
	 * Closes the gaps up to a length.
	 * @param kept how many gaps of exactly that length are left as they are
	 * @return how many of these were not met
	 */
	private int closeGaps(long length, int kept) {
		int remaining = kept;
		Iterator<Map.Entry<Long, Long>> intervals = this.lasts.entrySet().iterator();
		Map.Entry<Long, Long> current = intervals.hasNext() ? intervals.next() : null;
		while (current != null && intervals.hasNext()) {
			Map.Entry<Long, Long> next = intervals.next();
			long gap = next.getKey() - current.getValue();
			if (gap < length || (gap == length && remaining-- <= 0)) {
				put(current.getKey(), next.getValue());
				remove(next);
				current = Map.entry(current.getKey(), next.getValue());
			}
			else {
				current = next;
			}
		}
		return Math.max(0, remaining);
	}

}
