package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;

import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a sequence has reserved and returned since this process started, and keeps
 * the failure of the latest reservation. Not thread-safe: the lock of the sequence guards
 * it.
 */
final class SequenceStatus {

	private static final Duration FAILURE_COUNTS = Duration.ofMinutes(1);

	private long reserved;

	private long reservations;

	private long returned;

	// Why the latest reservation failed, if it did.
	private SequenceSnapshot.@Nullable Failure failure;

	void reserved(ReservedRange range) {
		this.reservations++;
		this.reserved += range.size();
		this.failure = null;
	}

	void failed(RuntimeException failure, Instant time) {
		this.failure = new SequenceSnapshot.Failure(time, String.valueOf(failure.getMessage()));
	}

	void returned(long count) {
		this.returned += count;
	}

	void forgiveFailure() {
		this.failure = null;
	}

	long reservations() {
		return this.reservations;
	}

	boolean hasFailed() {
		return this.failure != null;
	}

	/**
	 * Returns a snapshot of the sequence.
	 * @param now the time if the sequence holds nothing by design, or {@code null}. Such
	 * a sequence reserves only for a caller, so a failure counts for a minute
	 */
	SequenceSnapshot snapshot(String document, DocumentIdFormat format, HeldRanges ranges, boolean consecutive,
			@Nullable Instant now, long nextSize) {
		// Read once, because callers go on taking.
		long last = ranges.current().lastTaken();
		boolean available = this.failure == null || ranges.held() > 0
				|| (now != null && now.isAfter(this.failure.time().plus(FAILURE_COUNTS)));
		return new SequenceSnapshot(document, format.nodeTag(), format.separator(), format.digits(),
				consecutive ? true : null, ranges.showCurrent(last), ranges.showNext(), available,
				(now != null) ? 1 : nextSize, ranges.issued(last), this.reserved, this.returned, this.reservations,
				this.failure);
	}

}
