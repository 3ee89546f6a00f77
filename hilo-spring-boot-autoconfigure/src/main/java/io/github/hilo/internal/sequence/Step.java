package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What one pass through the lock of a sequence has decided: its time, and its effects.
 * The {@link SequenceState} collects the effects under the lock, and the
 * {@link RangeSequence} performs them after it has released the lock, because they may
 * run code of callers. Not thread-safe: a step is passed from one thread to the next.
 */
final class Step {

	private final RangeSequence sequence;

	private final RangeSequence.Mode mode;

	private final @Nullable RangeStore store;

	private final TimeSource clock;

	private final long nanos;

	private final Instant time;

	private final List<SequenceEvent> events = new ArrayList<>(1);

	private final List<Operation> operations = new ArrayList<>(1);

	private final List<Runnable> settled = new ArrayList<>();

	private final List<Runnable> released = new ArrayList<>(0);

	/**
	 * @param store the store of the caller or operation that causes the step, or of the
	 * sequence
	 */
	Step(RangeSequence sequence, RangeSequence.Mode mode, @Nullable RangeStore store, TimeSource clock) {
		this.store = store;
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

	/**
	 * Returns whether ranges are held for callers that come later. Otherwise nothing is
	 * held beyond what the callers of a reservation take: in a consecutive sequence, and
	 * in an engine that is not running.
	 */
	boolean holdsRanges() {
		return this.mode == RangeSequence.Mode.RUNNING && !this.sequence.isConsecutive();
	}

	/**
	 * Returns the store for what no caller has brought one. A sequence without a store
	 * has nothing that it could send.
	 */
	RangeStore store() {
		return Objects.requireNonNull(this.store);
	}

	boolean hasStore() {
		return this.store != null;
	}

	/**
	 * Returns the store that a caller has brought.
	 */
	RangeStore storeOf(Waiter waiter) {
		return Objects.requireNonNull(waiter.storeOr(this.store));
	}

	void letGo() {
		this.events.add(new SequenceEvent.LetGo(this.sequence));
	}

	long nanos() {
		return this.nanos;
	}

	Instant time() {
		return this.time;
	}

	Deadline commandDeadline() {
		return new Deadline(this.sequence.commandTimeout(), this.nanos, this.clock);
	}

	/**
	 * Serves a caller that has its numbers, unless the caller has left.
	 */
	void serve(Waiter waiter) {
		if (waiter.settle()) {
			answer(waiter);
		}
	}

	/**
	 * Refuses a caller, unless its outcome is decided.
	 */
	void refuse(Waiter waiter, RuntimeException failure) {
		if (waiter.settle()) {
			answer(waiter, failure);
		}
	}

	/**
	 * Answers a caller that was settled for this step, once the step is performed.
	 */
	void answer(Waiter waiter) {
		answer(waiter, null);
	}

	private void answer(Waiter waiter, @Nullable RuntimeException failure) {
		addWaits(waiter);
		Asker asker = waiter.asker();
		if (asker == null) {
			this.settled.add(() -> this.sequence.answer(waiter, failure));
		}
		else {
			waiter.awaitAnswer();
			// Under the lock, so that answers have the order in which numbers were
			// served.
			asker.add(() -> this.sequence.answer(waiter, failure));
			this.settled.add(asker::publish);
		}
	}

	/**
	 * Ends the wait of a settled caller, and adds an event for each of its phases.
	 */
	void addWaits(Waiter waiter) {
		waiter.endPhase(this.nanos);
		Deadline limit = waiter.deadline();
		if (limit != null) {
			waiter.waits()
				.forEach((phase, time) -> this.events
					.add(new SequenceEvent.Waited(this.sequence, time, phase, limit.whole())));
		}
	}

	void completeRelease(CompletableFuture<@Nullable RuntimeException> release, @Nullable RuntimeException failure) {
		this.released.add(() -> release.complete(failure));
	}

	void add(@Nullable Operation operation) {
		if (operation != null) {
			this.operations.add(operation);
		}
	}

	void reservationEnded(Operation.Reservation reservation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure, Duration lasted) {
		this.events
			.add(new SequenceEvent.ReservationEnded(this.sequence, reservation.request(), range, failure, lasted));
	}

	void returnEnded(Operation.Return ended, boolean returned, @Nullable RuntimeException failure, Duration lasted) {
		this.events.add(new SequenceEvent.ReturnEnded(this.sequence, ended.numbers(), returned, failure, lasted,
				this.mode != RangeSequence.Mode.RUNNING || this.sequence.isIdle()));
	}

	void discarded(long first, long last, String why) {
		if (first <= last) {
			this.events.add(new SequenceEvent.Discarded(this.sequence, first, last, why));
		}
	}

	void findEnded(Operation.Find find, @Nullable Long stored, @Nullable RuntimeException failure) {
		this.events.add(new SequenceEvent.FindEnded(this.sequence, find.place(), stored, failure));
	}

	void outageBegan(@Nullable Place place, String failure) {
		this.events.add(new SequenceEvent.OutageBegan(this.sequence, place, failure));
	}

	void outageEnded(Outages.Outage over, Duration lasted) {
		this.events.add(new SequenceEvent.OutageEnded(this.sequence, over.place(), over.failures(), lasted));
	}

	List<SequenceEvent> events() {
		return this.events;
	}

	List<Operation> operations() {
		return this.operations;
	}

	/**
	 * Completes the waiters and then the releases. This may run code of callers, so the
	 * thread must not hold a lock.
	 */
	void completeAll() {
		Error first = null;
		for (Runnable outcome : Stream.concat(this.settled.stream(), this.released.stream()).toList()) {
			try {
				outcome.run();
			}
			// The others must learn of their outcomes, too.
			catch (Error ex) {
				first = (first != null) ? first : ex;
			}
		}
		if (first != null) {
			throw first;
		}
	}

}
