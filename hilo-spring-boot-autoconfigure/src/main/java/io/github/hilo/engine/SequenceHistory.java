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

	private SequenceSnapshot.@Nullable Failure lastFailure;

	private boolean lastReservationFailed;

	private boolean checking;

	private long checkDeadlineNanos;

	SequenceHistory copy() {
		SequenceHistory copy = new SequenceHistory();
		copy.reserved = this.reserved;
		copy.reservations = this.reservations;
		copy.returned = this.returned;
		copy.lastFailure = this.lastFailure;
		copy.lastReservationFailed = this.lastReservationFailed;
		return copy;
	}

	void reserved(ReservedRange range) {
		this.reservations++;
		this.reserved += range.size();
		this.lastReservationFailed = false;
	}

	/**
	 * Whether no range was ever reserved.
	 */
	boolean isEmpty() {
		return this.reservations == 0;
	}

	void failed(RuntimeException failure, Instant time) {
		this.lastFailure = new SequenceSnapshot.Failure(time, String.valueOf(failure.getMessage()));
		this.lastReservationFailed = true;
	}

	/**
	 * Makes a check whether the last failure is over, unless one is under way.
	 */
	Operation.@Nullable CounterCheck check(Duration timeout, Moment now) {
		if ((this.checking && now.nanos() - this.checkDeadlineNanos < 0) || this.lastFailure == null) {
			return null;
		}
		this.checking = true;
		this.checkDeadlineNanos = now.nanos() + timeout.toNanos();
		return new Operation.CounterCheck(this.lastFailure, timeout);
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
		if (max != null && max < Long.MAX_VALUE && check.outage().equals(this.lastFailure)) {
			this.lastReservationFailed = false;
		}
	}

	void returned(long count) {
		this.returned += count;
	}

	SequenceHealth health(long remaining) {
		return new SequenceHealth(remaining, (this.lastReservationFailed && remaining == 0) ? this.lastFailure : null);
	}

	SequenceSnapshot snapshot(String document, HeldRanges ranges, boolean consecutive, long nextSize) {
		// Read once: takers go on meanwhile.
		long last = ranges.current().lastTaken();
		return new SequenceSnapshot(document, consecutive ? true : null, ranges.showCurrent(last), ranges.showNext(),
				nextSize, ranges.issued(last), this.reserved, this.returned, this.reservations, this.lastFailure);
	}

}
