package io.github.hilo.stored;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.hilo.store.Deadline;
import io.github.hilo.store.FreeNumbers;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of the numbers of one sequence that are free in one place:
 * the intervals that were found free lately. To forget one only costs another find.
 * <p>
 * Thread-safe: the intervals are replaced as one immutable value, under this object's
 * lock; whoever uses a number reads that value alone.
 */
final class FreeIntervals implements FreeNumbers {

	private static final int MAX_INTERVALS = 8;

	private static final Interval[] NONE = {};

	private final DocumentIdFormat format;

	/**
	 * Apart from one another, the latest first.
	 */
	private volatile Interval[] intervals = NONE;

	/**
	 * Whether a number was used here since the last reservation began.
	 */
	private volatile boolean used = true;

	private @Nullable Find find;

	FreeIntervals(DocumentIdFormat format) {
		this.format = format;
	}

	@Override
	public boolean isFree(long number) {
		for (Interval interval : this.intervals) {
			if (interval.holds(number)) {
				return use();
			}
		}
		return false;
	}

	@Override
	public boolean isFree(String documentId) {
		for (Interval interval : this.intervals) {
			if (interval.holds(this.format.numberOf(documentId, interval.serverPrefix))) {
				return use();
			}
		}
		return false;
	}

	private boolean use() {
		if (!this.used) {
			this.used = true;
		}
		return true;
	}

	/**
	 * Whether a number was used here since this was asked last.
	 */
	boolean wasUsed() {
		boolean was = this.used;
		this.used = false;
		return was;
	}

	/**
	 * Forgets the numbers of a range, which may have been issued elsewhere: they went
	 * back and are granted again.
	 */
	synchronized void forget(ReservedRange range) {
		this.intervals = Arrays.stream(this.intervals)
			.flatMap((interval) -> Stream.of(interval.below(range), interval.above(range)))
			.flatMap(Stream::ofNullable)
			.toArray(Interval[]::new);
	}

	/**
	 * Remembers that the numbers of a range are free from one of them on.
	 */
	synchronized void add(long first, ReservedRange range) {
		Interval found = new Interval(first, range.max(), range.serverPrefix());
		Interval added = Arrays.stream(this.intervals).filter(found::touches).reduce(found, Interval::or);
		this.intervals = Stream
			.concat(Stream.of(added), Arrays.stream(this.intervals).filter((interval) -> !interval.touches(found)))
			.limit(MAX_INTERVALS)
			.toArray(Interval[]::new);
	}

	/**
	 * Joins the find that is under way for a number, or begins one. A find that was begun
	 * for another range with the same number says nothing of it: the number went back
	 * meanwhile.
	 * @return what ends with whether the number is free
	 */
	synchronized CompletableFuture<Boolean> joinOrBegin(ReservedRange range, long number, Supplier<Find> begin) {
		Find last = this.find;
		if (last == null || last.result.isDone() || last.deadline.isOver() || !last.range.equals(range)
				|| number < last.first) {
			last = begin.get();
			this.find = last;
		}
		// Whoever is interrupted cancels a copy.
		return last.result.copy();
	}

	private record Interval(long first, long last, String serverPrefix) {

		boolean holds(long number) {
			return this.first <= number && number <= this.last;
		}

		@Nullable Interval below(ReservedRange range) {
			return (this.first < range.min())
					? new Interval(this.first, Math.min(this.last, range.min() - 1), this.serverPrefix) : null;
		}

		@Nullable Interval above(ReservedRange range) {
			return (this.last > range.max())
					? new Interval(Math.max(this.first, range.max() + 1), this.last, this.serverPrefix) : null;
		}

		boolean touches(Interval other) {
			return this.serverPrefix.equals(other.serverPrefix) && this.last >= other.first - 1
					&& this.first - 1 <= other.last;
		}

		Interval or(Interval other) {
			return new Interval(Math.min(this.first, other.first), Math.max(this.last, other.last), this.serverPrefix);
		}

	}

	/**
	 * A find that is under way.
	 *
	 * @param range the range that it asks for
	 * @param first the number that it asks from
	 * @param result ends with whether all that it asks for is free
	 */
	record Find(ReservedRange range, long first, Deadline deadline, CompletableFuture<Boolean> result) {
	}

}
