package io.github.hilo.internal.sequence;

import io.github.hilo.internal.store.ReservedRange;

/**
 * How fast the numbers of a sequence are used, and what follows from it: how many to ask
 * for, and whether to ask in advance.
 * <p>
 * A sequence is busy once it has used up a range within
 * {@link RangeSizing#GROW_WITHIN_NANOS}, until one lasts longer than
 * {@link RangeSizing#SHRINK_AFTER_NANOS}: sizes settle between the two, and there, too,
 * nobody should have to wait. The next range of a busy sequence is requested when half of
 * the current one is used. For this its ranges are cut in two segments at the half: the
 * quick path has nothing to check.
 */
final class Demand {

	// How many numbers a range has for each caller that waits: one for it, and one for
	// whoever comes meanwhile.
	private static final long PER_WAITER = 2;

	private final boolean prefetch;

	private final RangeSizing sizing;

	private boolean busy;

	private long currentSinceNanos;

	// Whether the last reservation failed, and may have used up numbers.
	private boolean lastFailed;

	Demand(HiLoSettings settings, HiLoSettings.SequenceSettings own) {
		this.prefetch = settings.prefetch();
		this.sizing = new RangeSizing(own.initialSize(), own.maxSize(), settings.maxGrowth());
	}

	/**
	 * A range was used up, or there was none, and the next one becomes the current one.
	 */
	void rangeStarts(boolean used, long nowNanos) {
		this.busy = this.prefetch && used && isBusyAfter(nowNanos - this.currentSinceNanos);
		this.currentSinceNanos = nowNanos;
	}

	private boolean isBusyAfter(long lastedNanos) {
		return this.busy ? lastedNanos <= RangeSizing.SHRINK_AFTER_NANOS : lastedNanos < RangeSizing.GROW_WITHIN_NANOS;
	}

	/**
	 * The size of the segment that begins with a number. The take that uses up the half
	 * finds the segment used up, and looks further.
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
	 * How many numbers the next range should have, at the pace so far. If more callers
	 * wait already, as many more may come while it is requested, so it is large enough
	 * for both; but not after a failure, which may have used up numbers already.
	 */
	long nextSize(RangeCursor current, int waiting, long nowNanos) {
		long taken = current.lastTaken() - current.range().min() + 1;
		double rangesTaken = (taken > 0) ? (double) taken / current.range().size() : 1;
		long atPace = this.sizing.nextSize((long) ((nowNanos - this.currentSinceNanos) / rangesTaken));
		return (waiting > atPace && !this.lastFailed) ? this.sizing.atLeast(PER_WAITER * waiting, atPace) : atPace;
	}

	long nextSize(long nowNanos) {
		return this.sizing.nextSize(nowNanos - this.currentSinceNanos);
	}

	/**
	 * A range was reserved.
	 * @param usualSize how large a range the demand asked for, or 0 where it says nothing
	 * of the demand
	 */
	void reserved(long usualSize) {
		this.lastFailed = false;
		if (usualSize > 0) {
			this.sizing.reserved(usualSize);
		}
	}

	/**
	 * A reservation failed. Nothing is asked for in advance until another one succeeds.
	 */
	void failed() {
		this.sizing.reset();
		this.lastFailed = true;
	}

	void reset() {
		this.busy = false;
		this.sizing.reset();
	}

}
