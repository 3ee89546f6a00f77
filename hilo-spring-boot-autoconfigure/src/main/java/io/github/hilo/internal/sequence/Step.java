package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * One step of a sequence: when it happens, and what it leads to. Collected by the
 * {@link SequenceState}, and performed by its {@link RangeSequence} once the lock is
 * free, because callers' own code may run then.
 */
final class Step {

	private final RangeSequence sequence;

	private final RangeSequence.Mode mode;

	private final TimeSource clock;

	private final long nanos;

	private final Instant time;

	private final List<SequenceEvent> events = new ArrayList<>(1);

	private final List<Operation> started = new ArrayList<>(1);

	private final List<Runnable> served = new ArrayList<>();

	private final List<Runnable> released = new ArrayList<>(0);

	Step(RangeSequence sequence, RangeSequence.Mode mode, TimeSource clock) {
		this.sequence = sequence;
		this.mode = mode;
		this.clock = clock;
		this.nanos = clock.nanoTime();
		this.time = clock.now();
	}

	RangeSequence sequence() {
		return this.sequence;
	}

	RangeSequence.Mode mode() {
		return this.mode;
	}

	long nanos() {
		return this.nanos;
	}

	Instant time() {
		return this.time;
	}

	/**
	 * By when a command must have ended that is sent now.
	 */
	Deadline commandDeadline() {
		return new Deadline(this.sequence.commandTimeout(), this.nanos, this.clock);
	}

	/**
	 * Hands a caller its outcome. Only for one that was settled.
	 */
	void serve(Waiter waiter, @Nullable RuntimeException failure) {
		waiter.end(this.nanos);
		this.served.add(() -> waiter.complete(failure));
	}

	void end(CompletableFuture<@Nullable RuntimeException> release, @Nullable RuntimeException failure) {
		this.released.add(() -> release.complete(failure));
	}

	void start(@Nullable Operation operation) {
		if (operation != null) {
			this.started.add(operation);
		}
	}

	void reservationEnded(Operation.Reservation reservation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure, Duration lasted) {
		this.events
			.add(new SequenceEvent.ReservationEnded(this.sequence, reservation.request(), range, failure, lasted));
	}

	void returnEnded(Operation.Return ended, boolean returned, @Nullable RuntimeException failure, Duration lasted) {
		this.events.add(new SequenceEvent.ReturnEnded(this.sequence, ended.unused(), returned, failure, lasted,
				this.mode != RangeSequence.Mode.RUNNING));
	}

	/**
	 * Tells that numbers become a gap, if there are any.
	 */
	void discarded(long first, long last, String why) {
		if (first <= last) {
			this.events.add(new SequenceEvent.Discarded(this.sequence, first, last, why));
		}
	}

	List<SequenceEvent> events() {
		return this.events;
	}

	List<Operation> started() {
		return this.started;
	}

	/**
	 * Tells those that wait. They may run code of their own, so no lock may be held.
	 */
	void answer() {
		this.served.forEach(Runnable::run);
		this.released.forEach(Runnable::run);
	}

}
