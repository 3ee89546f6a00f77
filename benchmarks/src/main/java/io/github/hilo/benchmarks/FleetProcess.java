package io.github.hilo.benchmarks;

import java.util.concurrent.TimeUnit;

/**
 * One process of a {@link Fleet}: the library's rules for sizes and prefetching, without
 * its ids, so that hours of a thousand processes take seconds. {@link FleetTables} checks
 * it against the library.
 */
final class FleetProcess {

	private static final long GROW_NANOS = TimeUnit.SECONDS.toNanos(30);

	private static final long SHRINK_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final Fleet fleet;

	private final long maxSize;

	/**
	 * Between two ids.
	 */
	private final long pauseNanos;

	private long currentSize;

	private long currentSinceNanos;

	private long nextSize;

	private long requestedSize;

	private boolean requested;

	private boolean busy;

	private long lastSize;

	private boolean waiting;

	private long waitingSinceNanos;

	FleetProcess(Fleet fleet, long maxSize, long pauseNanos) {
		this.fleet = fleet;
		this.maxSize = maxSize;
		this.pauseNanos = pauseNanos;
	}

	double idsPerSecond() {
		return 1e9 / this.pauseNanos;
	}

	/**
	 * An id is asked for, and there is none in the current range.
	 */
	void usedUp(long nowNanos) {
		if (this.nextSize > 0) {
			long size = this.nextSize;
			this.nextSize = 0;
			makeCurrent(size, nowNanos);
			return;
		}
		this.waiting = true;
		this.waitingSinceNanos = nowNanos;
		if (!this.requested) {
			request(nowNanos, nowNanos - this.currentSinceNanos);
		}
	}

	/**
	 * The id at the half of a busy process's range was taken.
	 */
	void halfUsed(long nowNanos) {
		if (!this.requested && this.nextSize == 0 && nowNanos - this.currentSinceNanos <= SHRINK_NANOS) {
			// As a share of the size: that of an odd number is a little above a half.
			double rangesTaken = (double) (this.currentSize - this.currentSize / 2) / this.currentSize;
			request(nowNanos, (long) ((nowNanos - this.currentSinceNanos) / rangesTaken));
		}
	}

	/**
	 * The range that was requested is there.
	 */
	void answered(long nowNanos) {
		this.requested = false;
		this.lastSize = this.requestedSize;
		if (this.waiting) {
			this.waiting = false;
			this.fleet.waited(this, this.waitingSinceNanos, nowNanos);
			makeCurrent(this.requestedSize, nowNanos);
		}
		else {
			this.nextSize = this.requestedSize;
		}
	}

	private void request(long nowNanos, long lastedNanos) {
		this.requested = true;
		this.requestedSize = sizeAfter(lastedNanos);
		this.fleet.reserve(this, nowNanos);
	}

	private long sizeAfter(long lastedNanos) {
		if (this.lastSize == 0) {
			return InMemory.INITIAL_SIZE;
		}
		if (lastedNanos < GROW_NANOS) {
			return Math.min(this.lastSize * 2, this.maxSize);
		}
		return (lastedNanos > SHRINK_NANOS) ? Math.max(InMemory.INITIAL_SIZE, this.lastSize / 2) : this.lastSize;
	}

	private void makeCurrent(long size, long nowNanos) {
		long lastedNanos = nowNanos - this.currentSinceNanos;
		this.busy = this.currentSize > 0 && (this.busy ? lastedNanos <= SHRINK_NANOS : lastedNanos < GROW_NANOS);
		this.currentSize = size;
		this.currentSinceNanos = nowNanos;
		if (this.busy) {
			this.fleet.schedule(nowNanos + (size - size / 2 - 1) * this.pauseNanos, this, Fleet.Kind.HALF_USED);
		}
		this.fleet.schedule(nowNanos + size * this.pauseNanos, this, Fleet.Kind.USED_UP);
	}

}
