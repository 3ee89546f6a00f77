package io.github.hilo.internal.sequence;

import java.util.concurrent.TimeUnit;

/**
 * How many numbers to ask for: RavenDB's rule, which doubles a range that was used up
 * quickly and halves one that lasted long (RavenDB 6, {@code NextHiLoCommand} and the
 * server's {@code HiLoHandler}). Where a range may grow by more than twice, the next one
 * is as large as it takes to last {@link #GROW_WITHIN_NANOS} at the pace of the last.
 */
final class RangeSizing {

	/**
	 * A range used up sooner is followed by one twice its size; 30 seconds as in RavenDB
	 * ({@code HiLoHandler.CalculateCapacity}).
	 */
	static final long GROW_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);

	/**
	 * A range that lasted longer is followed by one half its size; 60 seconds as there.
	 */
	static final long SHRINK_AFTER_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final long initialSize;

	private final long maxSize;

	private final int maxGrowth;

	private long lastSize;

	RangeSizing(long initialSize, long maxSize, int maxGrowth) {
		this.initialSize = initialSize;
		this.maxSize = maxSize;
		this.maxGrowth = maxGrowth;
	}

	/**
	 * Tells the size of the range to request.
	 * @param lastedNanos how long the last range has lasted, or will have lasted when it
	 * is used up
	 */
	long nextSize(long lastedNanos) {
		if (this.lastSize == 0) {
			return this.initialSize;
		}
		if (lastedNanos < GROW_WITHIN_NANOS) {
			long growth = Math.max(2, Math.min(this.maxGrowth, GROW_WITHIN_NANOS / Math.max(1, lastedNanos)));
			return (this.lastSize > this.maxSize / growth) ? this.maxSize : atLeastInitial(this.lastSize * growth);
		}
		return atLeastInitial((lastedNanos > SHRINK_AFTER_NANOS) ? this.lastSize / 2 : this.lastSize);
	}

	/**
	 * Lets the next range be larger, as far as ranges may be.
	 */
	long atLeast(long wanted, long size) {
		return Math.max(size, Math.min(wanted, this.maxSize));
	}

	/**
	 * A range is never smaller than the first, also after one that was.
	 */
	private long atLeastInitial(long size) {
		return Math.max(this.initialSize, size);
	}

	void reserved(long size) {
		this.lastSize = size;
	}

	/**
	 * Starts over with the smallest range: there is no demand to conclude from, or a
	 * request's outcome is unknown and repeating it must not burn large ranges.
	 */
	void reset() {
		this.lastSize = 0;
	}

}
