package io.github.hilo.stored;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.hilo.store.FreeNumbers;
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

	private static final int FIRST_WINDOW = 32;

	private static final int MAX_WINDOW = 1024;

	private static final Interval[] ALL = { new Interval(1, Long.MAX_VALUE) };

	/**
	 * Tells the number of a document id, 0 if it has another form.
	 */
	private final ToLongFunction<String> numberOf;

	/**
	 * Apart from one another, the latest first.
	 */
	private volatile Interval[] intervals;

	/**
	 * Whether a number was used here since the last reservation began.
	 */
	private volatile boolean used = true;

	private int window = FIRST_WINDOW;

	private @Nullable Find find;

	FreeIntervals(ToLongFunction<String> numberOf, boolean trusted) {
		this.numberOf = numberOf;
		this.intervals = trusted ? ALL : new Interval[0];
	}

	@Override
	public boolean isFree(long number) {
		for (Interval interval : this.intervals) {
			if (interval.first <= number && number <= interval.last) {
				if (!this.used) {
					this.used = true;
				}
				return true;
			}
		}
		return false;
	}

	@Override
	public boolean isFree(String documentId) {
		return isTrusted() || isFree(this.numberOf.applyAsLong(documentId));
	}

	/**
	 * Nothing is checked here any more: the counter started above every text.
	 */
	synchronized void trust() {
		this.intervals = ALL;
	}

	boolean isTrusted() {
		return this.intervals == ALL;
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
	 * Forgets numbers that may have been issued elsewhere: they went back and are granted
	 * again.
	 */
	synchronized void forgetFrom(long min) {
		if (!isTrusted() && Arrays.stream(this.intervals).anyMatch((interval) -> interval.last >= min)) {
			this.intervals = Arrays.stream(this.intervals)
				.filter((interval) -> interval.first < min)
				.map((interval) -> new Interval(interval.first, Math.min(interval.last, min - 1)))
				.toArray(Interval[]::new);
		}
	}

	void confirmed(long min, long max) {
		add(min, max);
		this.used = true;
	}

	synchronized void add(long min, long max) {
		if (!isTrusted()) {
			Interval added = Arrays.stream(this.intervals)
				.filter((interval) -> interval.touches(min, max))
				.reduce(new Interval(min, max), Interval::or);
			this.intervals = Stream
				.concat(Stream.of(added),
						Arrays.stream(this.intervals).filter((interval) -> !interval.touches(min, max)))
				.limit(MAX_INTERVALS)
				.toArray(Interval[]::new);
		}
	}

	/**
	 * Joins the find that is under way for a number, or begins one.
	 * @return what ends with whether the number is free
	 */
	synchronized CompletableFuture<Boolean> joinOrBegin(long number, Supplier<Find> begin) {
		Find last = this.find;
		if (last == null || last.result.isDone() || number < last.min || number > last.max) {
			last = begin.get();
			this.find = last;
		}
		// Whoever is interrupted cancels a copy.
		return last.result.copy();
	}

	/**
	 * How many texts are asked for with the next find: more each time.
	 */
	int nextTexts() {
		int next = this.window;
		this.window = Math.min(2 * next, MAX_WINDOW);
		return next;
	}

	private record Interval(long first, long last) {

		boolean touches(long min, long max) {
			return this.last >= min - 1 && this.first - 1 <= max;
		}

		Interval or(Interval other) {
			return new Interval(Math.min(this.first, other.first), Math.max(this.last, other.last));
		}

	}

	record Find(long min, long max, CompletableFuture<Boolean> result) {
	}

}
