package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * What became of a sequence's operations since this process started.
 */
final class SequenceStatus {

	private long reserved;

	private long reservations;

	private long returned;

	// Why the latest reservation failed, if it did.
	private SequenceSnapshot.@Nullable Failure failure;

	private boolean probing;

	private long probeDeadlineNanos;

	void reserved(ReservedRange range) {
		this.reservations++;
		this.reserved += range.size();
		this.failure = null;
	}

	void failed(RuntimeException failure, Instant time) {
		this.failure = new SequenceSnapshot.Failure(time, String.valueOf(failure.getMessage()));
	}

	Operation.@Nullable Probe probe(Step step) {
		if ((this.probing && step.nanos() - this.probeDeadlineNanos < 0) || this.failure == null) {
			return null;
		}
		Duration timeout = step.commandDeadline().whole();
		this.probing = true;
		this.probeDeadlineNanos = step.nanos() + timeout.toNanos();
		return new Operation.Probe(this.failure, timeout);
	}

	void resetProbe() {
		this.probing = false;
	}

	/**
	 * A probe ended. It says nothing of a reservation that failed since it began.
	 */
	void probed(Operation.Probe probe, @Nullable Long max) {
		this.probing = false;
		if (max != null && max < HiLoIdGenerator.MAX_FLOOR && probe.outage().equals(this.failure)) {
			this.failure = null;
		}
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

	SequenceSnapshot snapshot(String document, DocumentIdFormat format, HeldRanges ranges, boolean consecutive,
			long nextSize) {
		// Read once: takers go on meanwhile.
		long last = ranges.current().lastTaken();
		return new SequenceSnapshot(document, format.nodeTag(), format.separator(), format.digits(),
				consecutive ? true : null, ranges.showCurrent(last), ranges.showNext(),
				this.failure == null || ranges.held() > 0, nextSize, ranges.issued(last), this.reserved, this.returned,
				this.reservations, this.failure);
	}

}
