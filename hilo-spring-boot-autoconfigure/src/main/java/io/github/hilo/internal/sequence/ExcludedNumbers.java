package io.github.hilo.internal.sequence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Numbers that a sequence does not issue, because the application has chosen them or a
 * document has them. They are kept as at most {@value #MAX_INTERVALS} intervals that do
 * not touch.
 * <p>
 * If there are more, a quarter of the gaps between them are closed: the smallest ones,
 * compared to their distance from the next number to issue. So the numbers that are
 * issued next are not affected, however many are excluded far above. An interval that was
 * joined in this way is <em>soft</em>, because it also has numbers that nobody chose. If
 * a new range lies wholly inside, the sequence forgets that part ({@link #forgetSoft}):
 * finds still exclude what is stored by then, and the pages name the exception of a
 * document that is still on its way. Otherwise a few numbers far apart would exclude all
 * numbers between them for good.
 * <p>
 * Thread-safe for {@link #has}: an array never changes once it is published. The lock of
 * the sequence guards everything else.
 */
final class ExcludedNumbers {

	static final int MAX_INTERVALS = 128;

	private static final int GAPS_CLOSED_AT_ONCE = MAX_INTERVALS / 4;

	// Ascending.
	private volatile Interval[] intervals = {};

	// No number below is issued any more.
	private long next = 1;

	/**
	 * Returns whether a number is excluded, for any thread.
	 */
	boolean has(long number) {
		Interval[] all = this.intervals;
		int index = indexUpTo(all, number);
		return index >= 0 && all[index].last() >= number;
	}

	/**
	 * Returns the index of the last interval that begins at or below a number, or -1.
	 */
	private static int indexUpTo(Interval[] all, long number) {
		int low = 0;
		int high = all.length;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (all[middle].first() <= number) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		return low - 1;
	}

	private @Nullable Interval around(long number) {
		int index = indexUpTo(this.intervals, number);
		return (index >= 0 && this.intervals[index].last() >= number) ? this.intervals[index] : null;
	}

	void add(long first, long last) {
		Interval[] all = this.intervals;
		Interval added = new Interval(first, last, false);
		int from = indexUpTo(all, first);
		from = (from >= 0 && all[from].last() >= first - 1) ? from : from + 1;
		int to = indexUpTo(all, last + 1) + 1;
		for (int i = from; i < to; i++) {
			added = added.joined(all[i], all[i].soft());
		}
		replace(from, to, added);
		if (this.intervals.length > MAX_INTERVALS) {
			this.intervals = withFewerGaps(this.intervals);
		}
	}

	private void replace(int from, int to, Interval... by) {
		List<Interval> all = new ArrayList<>(Arrays.asList(this.intervals));
		all.subList(from, to).clear();
		all.addAll(from, Arrays.asList(by));
		this.intervals = all.toArray(Interval[]::new);
	}

	private Interval[] withFewerGaps(Interval[] all) {
		double[] gaps = new double[all.length - 1];
		for (int i = 0; i < gaps.length; i++) {
			// Plus 1, so that the divisor is never 0.
			gaps[i] = (double) (all[i + 1].first() - all[i].last()) / (all[i + 1].first() + 1 - this.next);
		}
		double[] sorted = gaps.clone();
		Arrays.sort(sorted);
		int remaining = GAPS_CLOSED_AT_ONCE;
		List<Interval> fewer = new ArrayList<>();
		Interval current = all[0];
		for (int i = 0; i < gaps.length; i++) {
			if (gaps[i] <= sorted[GAPS_CLOSED_AT_ONCE - 1] && remaining-- > 0) {
				current = current.joined(all[i + 1], true);
			}
			else {
				fewer.add(current);
				current = all[i + 1];
			}
		}
		fewer.add(current);
		return fewer.toArray(Interval[]::new);
	}

	/**
	 * Forgets the numbers of a range that lies wholly inside a soft interval.
	 * @return whether there was such an interval
	 */
	boolean forgetSoft(long first, long last) {
		Interval around = around(first);
		if (around == null || !around.soft() || around.last() < last) {
			return false;
		}
		int index = indexUpTo(this.intervals, first);
		replace(index, index + 1,
				Stream.of(new Interval(around.first(), first - 1, true), new Interval(last + 1, around.last(), true))
					.filter((rest) -> rest.first() <= rest.last())
					.toArray(Interval[]::new));
		return true;
	}

	/**
	 * Returns the first number that is not excluded, from a number on.
	 */
	long firstIssuable(long number) {
		Interval around = around(number);
		return (around != null) ? around.last() + 1 : number;
	}

	/**
	 * Returns the last number before the next excluded one.
	 * @param first a number that is not excluded
	 * @param max the last number to consider
	 */
	long lastIssuable(long first, long max) {
		int above = indexUpTo(this.intervals, first) + 1;
		return (above < this.intervals.length) ? Math.min(max, this.intervals[above].first() - 1) : max;
	}

	/**
	 * Returns how many numbers are excluded, from a first to a last one.
	 */
	long count(long first, long last) {
		long count = 0;
		for (int i = Math.max(0, indexUpTo(this.intervals, first)); i <= indexUpTo(this.intervals, last); i++) {
			Interval interval = this.intervals[i];
			count += Math.max(0, Math.min(last, interval.last()) + 1 - Math.max(first, interval.first()));
		}
		return count;
	}

	/**
	 * Returns the highest excluded number up to a limit, or 0.
	 */
	long highestUpTo(long limit) {
		int index = indexUpTo(this.intervals, limit);
		return (index >= 0) ? Math.min(limit, this.intervals[index].last()) : 0;
	}

	void forgetBelow(long number) {
		int index = indexUpTo(this.intervals, number);
		int firstKept = (index >= 0 && this.intervals[index].last() >= number) ? index : index + 1;
		if (firstKept > 0) {
			this.intervals = Arrays.copyOfRange(this.intervals, firstKept, this.intervals.length);
		}
		this.next = Math.max(this.next, number);
	}

	private record Interval(long first, long last, boolean soft) {

		Interval joined(Interval other, boolean alsoSoft) {
			return new Interval(Math.min(this.first, other.first), Math.max(this.last, other.last),
					this.soft || alsoSoft);
		}

	}

}
