package io.github.hilo.stored;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

import io.github.hilo.store.FreeNumbers;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of the numbers of one sequence that are free in one place:
 * the intervals that were found free lately. To forget one only costs another find.
 * <p>
 * Thread-safe: what was found is replaced as one immutable value, under this object's
 * lock; whoever uses a number reads that value alone.
 */
final class FreeIntervals implements FreeNumbers {

	private static final int MAX_INTERVALS = 8;

	private static final int FIRST_WINDOW = 32;

	private static final int MAX_WINDOW = 1024;

	private static final long[] NONE = {};

	private static final long[] ALL = { 1, Long.MAX_VALUE };

	private final ToLongFunction<String> numberOf;

	/**
	 * The last number of each interval by the first.
	 */
	private final NavigableMap<Long, Long> found = new TreeMap<>();

	/**
	 * What was found: the first and the last number of each interval, ascending.
	 */
	private volatile long[] intervals;

	/**
	 * Whether a number was used here since the last reservation began.
	 */
	private volatile boolean used = true;

	private int window = FIRST_WINDOW;

	private @Nullable Find find;

	/**
	 * Creates a memory of nothing.
	 * @param numberOf tells the number of a document id, 0 if it has another form
	 * @param trusted whether nothing is checked here
	 */
	FreeIntervals(ToLongFunction<String> numberOf, boolean trusted) {
		this.numberOf = numberOf;
		this.intervals = trusted ? ALL : NONE;
	}

	@Override
	public boolean isFree(long number) {
		long[] known = this.intervals;
		int i = known.length - 2;
		while (i >= 0 && number < known[i]) {
			i -= 2;
		}
		boolean free = i >= 0 && number <= known[i + 1];
		if (free && !this.used) {
			this.used = true;
		}
		return free;
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
	 * @param min the lowest of them
	 */
	synchronized void forgetFrom(long min) {
		if (this.found.isEmpty() || this.found.lastEntry().getValue() < min) {
			return;
		}
		this.found.tailMap(min, true).clear();
		this.found.replaceAll((first, last) -> Math.min(last, min - 1));
		publish();
	}

	/**
	 * Remembers that numbers are free of which one is about to be used.
	 */
	void confirmed(long min, long max) {
		add(min, max);
		this.used = true;
	}

	/**
	 * Remembers that numbers are free.
	 */
	synchronized void add(long min, long max) {
		long first = min;
		long last = max;
		Map.Entry<Long, Long> touching = this.found.floorEntry(last);
		while (touching != null && touching.getValue() >= first - 1) {
			first = Math.min(first, touching.getKey());
			last = Math.max(last, touching.getValue());
			this.found.remove(touching.getKey());
			touching = this.found.floorEntry(last);
		}
		this.found.put(first, last);
		if (this.found.size() > MAX_INTERVALS) {
			this.found.pollFirstEntry();
		}
		publish();
	}

	private void publish() {
		if (!isTrusted()) {
			this.intervals = this.found.entrySet()
				.stream()
				.flatMapToLong((interval) -> LongStream.of(interval.getKey(), interval.getValue()))
				.toArray();
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

	/**
	 * A find under way.
	 *
	 * @param min the lowest number that is asked for
	 * @param max the highest number that is asked for
	 * @param result ends with whether all are free
	 */
	record Find(long min, long max, CompletableFuture<Boolean> result) {
	}

}
