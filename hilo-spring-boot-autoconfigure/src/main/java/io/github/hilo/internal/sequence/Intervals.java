package io.github.hilo.internal.sequence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A set of numbers, kept as intervals that do not touch. Its owner bounds it by
 * {@link #reduce}, which adds the numbers of the smallest gaps between them.
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

	/**
	 * Adds numbers, and joins the intervals that they touch to one.
	 */
	void add(long first, long last) {
		Map.Entry<Long, Long> lowest = this.lasts.floorEntry(first);
		long from = (lowest != null && lowest.getValue() >= first - 1) ? lowest.getKey() : first;
		Map.Entry<Long, Long> highest = this.lasts.floorEntry(last + 1);
		long to = (highest != null) ? Math.max(last, highest.getValue()) : last;
		put(from, to);
		this.lasts.subMap(from, false, to, true).entrySet().forEach(this::remove);
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
	 * Returns the lowest number from {@code from} on that the set does not have.
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
		this.lasts.entrySet().stream().takeWhile((interval) -> interval.getValue() < number).forEach(this::remove);
	}

	/**
	 * Closes the smallest gaps of some sets until the sets together have a number of
	 * intervals, or have no gap any more. Of gaps with the same length, the last ones are
	 * closed: those of the later sets, and the highest ones of a set.
	 */
	static void reduce(List<Intervals> sets, int most) {
		int excess = sets.stream().mapToInt(Intervals::size).sum() - most;
		if (excess > 0) {
			List<Gap> gaps = new ArrayList<>();
			sets.forEach((set) -> set.addGapsTo(gaps));
			Collections.reverse(gaps);
			gaps.sort(Comparator.comparingLong(Gap::length));
			gaps.stream().limit(excess).forEach(Gap::close);
		}
	}

	private void addGapsTo(List<Gap> gaps) {
		Map.Entry<Long, Long> below = null;
		for (Map.Entry<Long, Long> above : this.lasts.entrySet()) {
			if (below != null) {
				gaps.add(new Gap(this, below.getValue() + 1, above.getKey() - 1));
			}
			below = above;
		}
	}

	/**
	 * The numbers between two intervals of a set.
	 */
	record Gap(Intervals set, long first, long last) {

		private long length() {
			return this.last + 1 - this.first;
		}

		private void close() {
			this.set.add(this.first, this.last);
		}

	}

}
