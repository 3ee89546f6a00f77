package io.github.hilo.internal.sequence;

import java.util.concurrent.TimeUnit;

/**
 * Decides how many numbers to reserve. The rule is RavenDB's: a range that was used up
 * quickly is followed by one of twice its size, and a range that lasted long by one of
 * half its size (RavenDB 6, {@code NextHiLoCommand} and the server's
 * {@code HiLoHandler}). If ranges may grow faster, the next one has the size that lasts
 * {@link #GROW_WITHIN_NANOS} at the pace of the last one. Not thread-safe: the lock of
 * the sequence guards it.
 */
final class RangeSizing {

	/**
	 * A range that is used up sooner is followed by a larger one; 30 seconds as in
	 * RavenDB ({@code HiLoHandler.CalculateCapacity}).
	 */
	static final long GROW_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);

	/**
	 * A range that lasts longer is followed by one of half its size; 60 seconds as in
	 * RavenDB.
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
	 * Returns the size of the range to request.
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
	 * Returns {@code size}, or the wanted size if that is larger. The maximum limits only
	 * the wanted size.
	 */
	long atLeast(long wanted, long size) {
		return Math.max(size, Math.min(wanted, this.maxSize));
	}

	/**
	 * Returns a size that is not smaller than the initial one. The last range can have
	 * been smaller, because a command that is repeated reserves no more than needed.
	 */
	private long atLeastInitial(long size) {
		return Math.max(this.initialSize, size);
	}

	void reserved(long size) {
		this.lastSize = size;
	}

	/**
	 * Starts again with the smallest range. Either there is no demand from which to
	 * conclude, or the outcome of a request is unknown, and repeating it must not use up
	 * large ranges.
	 */
	void reset() {
		this.lastSize = 0;
	}

}
