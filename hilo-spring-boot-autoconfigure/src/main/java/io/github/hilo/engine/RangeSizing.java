package io.github.hilo.engine;

import java.time.Duration;

/**
 * How many numbers to ask for: RavenDB's rule, which doubles a range that was used up
 * quickly and halves one that lasted long (RavenDB 6, {@code NextHiLoCommand} and the
 * server's {@code HiLoHandler}). Where a range may grow by more than twice, the next one
 * is as large as it takes to last {@code hilo.range.grow-within} at the pace of the last.
 * Not thread-safe: its sequence's lock guards it.
 */
final class RangeSizing {

	private final long initialSize;

	private final long maxSize;

	private final long growWithinNanos;

	private final long shrinkAfterNanos;

	private final int maxGrowth;

	private long lastSize;

	RangeSizing(long initialSize, long maxSize, Duration growWithin, Duration shrinkAfter, int maxGrowth) {
		this.initialSize = initialSize;
		this.maxSize = maxSize;
		this.growWithinNanos = growWithin.toNanos();
		this.shrinkAfterNanos = shrinkAfter.toNanos();
		this.maxGrowth = maxGrowth;
	}

	/**
	 * Tells the size of the range to request.
	 * @param lastedNanos how long the last range has lasted, or will have lasted when it
	 * is used up
	 * @return the number of numbers
	 */
	long nextSize(long lastedNanos) {
		if (this.lastSize == 0) {
			return this.initialSize;
		}
		if (lastedNanos < this.growWithinNanos) {
			long growth = Math.max(2, Math.min(this.maxGrowth, this.growWithinNanos / Math.max(1, lastedNanos)));
			return (this.lastSize > this.maxSize / growth) ? this.maxSize : atLeastInitial(this.lastSize * growth);
		}
		return atLeastInitial((lastedNanos > this.shrinkAfterNanos) ? this.lastSize / 2 : this.lastSize);
	}

	/**
	 * Lets the next range be larger, as far as ranges may be.
	 */
	long atLeast(long wanted, long size) {
		return Math.max(size, Math.min(wanted, this.maxSize));
	}

	/**
	 * A single number that was reserved during a pause says nothing about the demand.
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
