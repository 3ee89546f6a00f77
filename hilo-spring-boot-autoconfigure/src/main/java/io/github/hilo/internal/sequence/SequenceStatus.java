package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;

import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * What became of a sequence's operations since this process started.
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
	 * Shows the sequence.
	 * @param now the time if nothing is held by design, or {@code null}: then nobody
	 * tries again before the next caller, so that a failure is over after a minute
	 */
	SequenceSnapshot snapshot(String document, DocumentIdFormat format, HeldRanges ranges, boolean consecutive,
			@Nullable Instant now, long nextSize) {
		// Read once: takers go on meanwhile.
		long last = ranges.current().lastTaken();
		boolean available = this.failure == null || ranges.held() > 0
				|| (now != null && now.isAfter(this.failure.time().plus(FAILURE_COUNTS)));
		return new SequenceSnapshot(document, format.nodeTag(), format.separator(), format.digits(),
				consecutive ? true : null, ranges.showCurrent(last), ranges.showNext(), available,
				(now != null) ? 1 : nextSize, ranges.issued(last), this.reserved, this.returned, this.reservations,
				this.failure);
	}

}
