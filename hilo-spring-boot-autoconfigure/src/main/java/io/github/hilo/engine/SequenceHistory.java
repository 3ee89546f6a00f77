package io.github.hilo.engine;

import java.time.Duration;
import java.time.Instant;

import io.github.hilo.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * What became of a sequence's operations since this process started. Not thread-safe: its
 * sequence's lock guards it.
 */
final class SequenceHistory {

	private long reserved;

	private long reservations;

	private long returned;

	/**
	 * Why the latest reservation failed, if it did.
	 */
	private SequenceSnapshot.@Nullable Failure failure;

	private boolean checking;

	private long checkDeadlineNanos;

	void reserved(ReservedRange range) {
		this.reservations++;
		this.reserved += range.size();
		this.failure = null;
	}

	void failed(RuntimeException failure, Instant time) {
		this.failure = new SequenceSnapshot.Failure(time, String.valueOf(failure.getMessage()));
	}

	/**
	 * Makes a check whether the last failure is over, unless one is under way.
	 */
	Operation.@Nullable CounterCheck check(Duration timeout, Moment now) {
		if ((this.checking && now.nanos() - this.checkDeadlineNanos < 0) || this.failure == null) {
			return null;
		}
		this.checking = true;
		this.checkDeadlineNanos = now.nanos() + timeout.toNanos();
		return new Operation.CounterCheck(this.failure, timeout);
	}

	/**
	 * A check that is under way may never end.
	 */
	void resetCheck() {
		this.checking = false;
	}

	/**
	 * A check ended. It says nothing of a reservation that failed since it began.
	 * @param max the counter's value, or {@code null} where it failed
	 */
	void checked(Operation.CounterCheck check, @Nullable Long max) {
		this.checking = false;
		if (max != null && max < Long.MAX_VALUE && check.outage().equals(this.failure)) {
			this.failure = null;
		}
	}

	void returned(long count) {
		this.returned += count;
	}

	/**
	 * The failure is over, whatever it was.
	 */
	void forgiveFailure() {
		this.failure = null;
	}

	boolean hasFailed() {
		return this.failure != null;
	}

	SequenceSnapshot snapshot(String document, HeldRanges ranges, boolean consecutive, long nextSize) {
		// Read once: takers go on meanwhile.
		long last = ranges.current().lastTaken();
		return new SequenceSnapshot(document, consecutive ? true : null, ranges.showCurrent(last), ranges.showNext(),
				this.failure == null || ranges.held() > 0, nextSize, ranges.issued(last), this.reserved, this.returned,
				this.reservations, this.failure);
	}

}
