package io.github.hilo.internal.sequence;

import io.github.hilo.internal.store.ReservedRange;

/**
 * Measures how fast the numbers of a sequence are used, and decides how many to reserve,
 * and whether to reserve in advance. Not thread-safe: the lock of the sequence guards it.
 * <p>
 * A sequence becomes busy when it uses up a range within
 * {@link RangeSizing#GROW_WITHIN_NANOS}, and stays busy until a range lasts longer than
 * {@link RangeSizing#SHRINK_AFTER_NANOS}. A range that lasts between the two times is
 * followed by one of the same size, and callers should not wait for that one either.
 * <p>
 * A busy sequence requests the next range when half of the current one is used. Therefore
 * its ranges are cut into two segments at the half, so that callers who take numbers
 * without the lock have nothing to check.
 */
final class Demand {

	// How many numbers a range has for each waiter: one for the waiter, and one for a
	// caller that comes meanwhile.
	private static final long PER_WAITER = 2;

	private final boolean prefetch;

	private final HiLoSettings.SequenceSettings settings;

	private final RangeSizing sizing;

	private boolean busy;

	private long currentSinceNanos;

	// Whether the last reservation failed. It may have used up numbers.
	private boolean lastFailed;

	// The least size of the next range if exclusion left too few numbers, otherwise 0.
	private long least;

	// The most that the pace may ask for, if most of the last range was excluded.
	private long most = Long.MAX_VALUE;

	Demand(HiLoSettings settings, HiLoSettings.SequenceSettings own) {
		this.prefetch = settings.prefetch();
		this.settings = own;
		this.sizing = new RangeSizing(own.initialSize(), own.maxSize(), settings.maxGrowth());
	}

	/**
	 * Records that the next range becomes the current one.
	 * @param used whether it follows a range that was used up; otherwise there was none
	 */
	void rangeStarts(boolean used, long nowNanos) {
		this.busy = this.prefetch && used && isBusyAfter(nowNanos - this.currentSinceNanos);
		this.currentSinceNanos = nowNanos;
	}

	private boolean isBusyAfter(long lastedNanos) {
		return this.busy ? lastedNanos <= RangeSizing.SHRINK_AFTER_NANOS : lastedNanos < RangeSizing.GROW_WITHIN_NANOS;
	}

	/**
	 * Returns the size of the segment that begins with a number. The first segment ends
	 * one number before the half: in the range 1 to 32 it ends at 15. So the caller who
	 * gets 16 finds the segment used up, and its step starts the prefetch.
	 */
	long segment(ReservedRange range, long from) {
		long left = range.max() + 1 - from;
		long toHalf = range.min() + halfOf(range.size()) - 1 - from;
		return (this.busy && toHalf > 0) ? toHalf : left;
	}

	boolean isPrefetchDue(RangeCursor current, long nowNanos) {
		return this.busy && current.lastTaken() - current.range().min() + 1 >= halfOf(current.range().size())
				&& nowNanos - this.currentSinceNanos <= RangeSizing.SHRINK_AFTER_NANOS && !this.lastFailed;
	}

	private static long halfOf(long size) {
		return size - size / 2;
	}

	/**
	 * Records that exclusion has left too few numbers of a range. The next range is twice
	 * as large, within the bounds of the settings, because nobody knows how many stored
	 * numbers follow.
	 */
	void tooFewLeft(ReservedRange range) {
		// No range has more than the largest size, unless a block needs it.
		long size = Math.min(range.size(), this.settings.maxSize());
		this.least = Math.max(this.settings.initialSize(), Math.min(2 * size, this.settings.maxSize()));
	}

	/**
	 * Records that more than half of a range was excluded at once, and enough is left.
	 * The next range is half as large, whatever the pace. A find excludes all numbers up
	 * to the highest stored one, so where numbers are stored at random, a large range
	 * loses nearly all it has.
	 */
	void mostExcluded(ReservedRange range) {
		this.most = Math.min(this.most, Math.max(this.settings.initialSize(), range.size() / 2));
	}

	/**
	 * Forgets what exclusion has left, because a range of that size was reserved, or
	 * nobody waits any more.
	 */
	void forgetLosses() {
		this.least = 0;
		this.most = Long.MAX_VALUE;
	}

	/**
	 * Returns whether the last reservation failed.
	 */
	boolean hasFailed() {
		return this.lastFailed;
	}

	/**
	 * Returns the least size of the next range, whatever its callers need.
	 */
	long least() {
		return this.least;
	}

	/**
	 * Returns how many numbers the next range should have at the current pace. If more
	 * callers wait than that, the range is twice as large as their number, because as
	 * many may come while it is requested. After a failure the range is not enlarged,
	 * because the failed reservation may have used up numbers.
	 */
	long nextSize(RangeCursor current, int waiting, long nowNanos) {
		long atPace = Math.min(this.most, this.sizing.nextSize(expectedLife(current, nowNanos)));
		return (waiting > atPace && !this.lastFailed) ? this.sizing.atLeast(PER_WAITER * waiting, atPace) : atPace;
	}

	/**
	 * Returns how long the current range will have lasted when it is used up at the
	 * current pace.
	 */
	private long expectedLife(RangeCursor current, long nowNanos) {
		long taken = current.lastTaken() - current.range().min() + 1;
		double share = (taken > 0) ? (double) taken / current.range().size() : 1;
		return (long) ((nowNanos - this.currentSinceNanos) / share);
	}

	/**
	 * Returns what a snapshot shows as the size of the next range: the size if the
	 * current one were used up now.
	 */
	long nextSizeToShow(long nowNanos) {
		return Math.max(this.least, Math.min(this.most, this.sizing.nextSize(nowNanos - this.currentSinceNanos)));
	}

	/**
	 * Records that a range was reserved.
	 * @param usualSize the size that the demand asked for, or 0 if the size says nothing
	 * about the demand
	 */
	void reserved(long usualSize) {
		this.lastFailed = false;
		forgetLosses();
		if (usualSize > 0) {
			this.sizing.reserved(usualSize);
		}
	}

	/**
	 * Records that a reservation failed. Nothing is reserved in advance until another
	 * reservation succeeds.
	 */
	void failed() {
		this.sizing.reset();
		this.lastFailed = true;
		forgetLosses();
	}

	void reset() {
		this.busy = false;
		this.sizing.reset();
	}

}
