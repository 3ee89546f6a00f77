package io.github.hilo.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Decides who gets which number of a sequence and when: takes events, and collects what
 * they lead to as {@link Effects}. It knows no lock, no I/O, no thread and no clock; its
 * {@link RangeSequence} brings these along.
 * <p>
 * At most one {@link Operation} is in flight, a reservation, a return or a raise, so the
 * counter is never lowered under a reservation of our own. One that outlives its time is
 * over, which the next event finds out. The pause before a return is repeated is one,
 * too, but ends as soon as somebody waits. An answer counts only while its operation is
 * still the one in flight: {@link #reset} discards it, and its range, unused, because a
 * copy of this process may have got the same answer.
 * <p>
 * Callers that find the range used up wait for the next one. They are served in the order
 * in which they came, before anybody else can take a number of that range, and share its
 * failure. Whenever something has ended, {@link #startNext} says what comes next: a
 * return that was asked for, then a raise, then a reservation for those that wait, then
 * one in advance; after a raise, those that wait go before the next one. So callers
 * cannot delay a release indefinitely, and raises cannot starve callers.
 * <p>
 * A consecutive sequence, or any while it is paused, holds nothing: each reservation is
 * for the first that waits, and what is left of it is returned at once. Only those that
 * came before the reservation was made are served from it. So a call that begins when
 * another one has ended, in whatever process, gets a higher number: its reservation is
 * made later, and the counter only goes back to what was issued.
 */
final class SequenceState {

	private final String name;

	private final RangeRequests requests;

	private final DocumentIdForm form;

	private final Demand demand;

	private final HeldRanges ranges;

	private final WaitQueue waiters;

	private final RaiseQueue raises;

	private @Nullable Operation<?> operation;

	/**
	 * When the operation is over, whether or not it was ever sent.
	 */
	private long deadlineNanos;

	/**
	 * How many operations have not ended, those that a reset has discarded included.
	 */
	private int unended;

	private final Releases releases;

	private final SequenceHistory history;

	SequenceState(String name, HiLoSettings settings) {
		HiLoSettings.SequenceSettings own = settings.sequences().apply(name);
		this.name = name;
		this.requests = new RangeRequests(own, settings.timeout());
		this.form = DocumentIdForm.of(name, settings);
		this.demand = new Demand(settings, own);
		this.ranges = new HeldRanges(this.demand);
		this.waiters = new WaitQueue();
		this.raises = new RaiseQueue();
		this.releases = new Releases();
		this.history = new SequenceHistory();
	}

	private SequenceState(SequenceState original, Consumer<Waiter> waiters) {
		this.name = original.name;
		this.requests = original.requests;
		this.form = original.form;
		this.demand = original.demand.copy();
		this.ranges = original.ranges.copy(this.demand);
		this.waiters = original.waiters.copy(waiters);
		this.raises = original.raises.copy();
		this.releases = original.releases.copy();
		this.operation = (original.operation instanceof Operation.Raise raise) ? raise.copy() : original.operation;
		this.deadlineNanos = original.deadlineNanos;
		this.unended = original.unended;
		this.history = original.history.copy();
	}

	/**
	 * Copies the state, as a snapshot of this process does. The simulation restores
	 * several processes from one.
	 * @param waiters takes the copy of each caller that waits
	 */
	SequenceState copy(Consumer<Waiter> waiters) {
		return new SequenceState(this, waiters);
	}

	RangeCursor current() {
		return this.ranges.current();
	}

	/**
	 * A caller asks for a number, a block or a range that is held.
	 */
	void ask(Waiter waiter, Moment now, Effects effects) {
		now.requireOpen(this.name);
		this.waiters.admit(waiter, this.requests.holdsNothing(now) ? null : this.ranges, now.nanos(), effects);
		startNext(now, effects);
	}

	void leave(Waiter waiter) {
		this.waiters.remove(waiter);
	}

	/**
	 * Somebody asks for a raise of the counter.
	 */
	void raise(Operation.Raise raise, Moment now, Effects effects) {
		now.requireOpen(this.name);
		this.raises.add(raise);
		startNext(now, effects);
	}

	/**
	 * Somebody asks for the return of what is unissued, as soon as those that wait for a
	 * reservation in flight have their numbers.
	 * @param release ends when nothing else is held any more
	 * @param places how many places a range must cover to be kept
	 */
	void release(CompletableFuture<@Nullable Void> release, int places, Moment now, Effects effects) {
		this.releases.add(release, places);
		startNext(now, effects);
	}

	/**
	 * A release took too long: what is held is discarded instead of returned.
	 */
	void discard(Moment now, Effects effects) {
		this.ranges.sealAll(requestTimeout());
		this.releases.tookTooLong();
		startNext(now, effects);
	}

	/**
	 * What is held is forgotten, and whatever is in flight: after a pause this process
	 * may be one of several copies, all of which remember the same.
	 */
	void reset(Effects effects) {
		stopRepeating(effects);
		this.operation = null;
		this.waiters.restartBlocks();
		this.ranges.sealAll(requestTimeout());
		this.ranges.resetIssued();
		this.history.resetCheck();
		this.releases.end(effects);
	}

	/**
	 * Finds the operation in flight if its time is up. A pause ends by itself.
	 */
	@Nullable Operation<?> late(Moment now) {
		return (now.nanos() - this.deadlineNanos >= 0 && !(this.operation instanceof Operation.Pause)) ? this.operation
				: null;
	}

	/**
	 * An operation outlived its time: its answer is lost, or it was never sent. If an
	 * answer comes all the same, it is discarded, except that of a raise.
	 * @param failure what those that wait for it learn
	 */
	void expire(Operation<?> late, RuntimeException failure, Moment now, Effects effects) {
		this.unended++;
		late.ended(this, null, failure, now, effects);
	}

	/**
	 * A reservation ended.
	 * @param range the range, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 */
	void reserved(Operation.Reservation reservation, @Nullable ReservedRange range, @Nullable RuntimeException failure,
			Moment now, Effects effects) {
		this.unended--;
		if (this.operation != reservation) {
			return;
		}
		this.operation = null;
		if (range != null) {
			keep(range, reservation, now, effects);
		}
		else {
			failed(Objects.requireNonNull(failure), now, effects);
		}
		startNext(now, effects);
	}

	/**
	 * A return ended. If it failed for a passing reason, it is repeated after a pause.
	 */
	void returned(Operation.Return operation, ReturnOutcome outcome, Moment now, Effects effects) {
		this.unended--;
		if (this.operation != operation) {
			return;
		}
		this.operation = mayRepeat(now) ? operation.pauseAfter(outcome, now.nanos()) : null;
		if (this.operation != null) {
			start(this.operation, now, effects);
			return;
		}
		this.history.returned(outcome.returned() ? operation.unused().count() : 0);
		this.releases.end(operation, outcome.failure(), effects);
		startNext(now, effects);
	}

	/**
	 * The pause before a return is repeated is over.
	 */
	void paused(Operation.Pause pause, Moment now, Effects effects) {
		this.unended--;
		if (this.operation == pause) {
			this.operation = pause.repetition(now.nanos());
			start(this.operation, now, effects);
		}
	}

	private boolean mayRepeat(Moment now) {
		return this.releases.mayRepeat(now) && !this.waiters.removeSettled() && !this.raises.removeSettled();
	}

	private void stopRepeating(Effects effects) {
		if (this.operation instanceof Operation.Pause pause) {
			this.operation = null;
			this.releases.end(pause.next(), pause.failure(), effects);
		}
	}

	/**
	 * A raise ended. It counts even if it was forgotten meanwhile: the counter has been
	 * raised.
	 * @param max the counter's value, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 */
	void raised(Operation.Raise raise, @Nullable Long max, @Nullable RuntimeException failure, Moment now,
			Effects effects) {
		this.unended--;
		if (max != null) {
			this.ranges.discardUpTo(raise.floor());
			this.waiters.restartBlocks();
		}
		if (this.operation == raise) {
			this.operation = null;
			startNext(now, effects);
		}
		effects.end(raise, max, failure);
	}

	private void keep(ReservedRange range, Operation.Reservation reservation, Moment now, Effects effects) {
		this.history.reserved(range);
		this.demand.reserved(reservation.usualSize());
		if (this.ranges.mayUse(range) && this.ranges.keep(this.form.held(range, now.time()), now.nanos())) {
			// Made during a pause, it is for whoever waits if the pause is over.
			Operation.Reservation served = this.requests.holdsNothing(now) ? reservation : reservation.forAnybody();
			this.waiters.serve(this.ranges, served, now.nanos(), effects);
		}
	}

	private void failed(RuntimeException failure, Moment now, Effects effects) {
		this.waiters.refuse(failure, effects);
		this.history.failed(failure, now.time());
		this.demand.failed(now.nanos());
		this.ranges.interrupt();
	}

	/**
	 * Starts what is due next, if nothing is in flight. Once the engine is closed, nobody
	 * waits any more.
	 */
	void startNext(Moment now, Effects effects) {
		if (this.operation instanceof Operation.Pause pause && (pause.isLate(now.nanos()) || !mayRepeat(now))) {
			stopRepeating(effects);
		}
		if (this.operation != null) {
			return;
		}
		if (now.mode() == EngineMode.CLOSED) {
			this.raises.refuse(ReservationFailure.closed(this.name), effects);
			this.waiters.refuse(ReservationFailure.closed(this.name), effects);
		}
		this.operation = this.releases.nextReturn(this.ranges, this.requests, now, effects);
		if (this.operation == null) {
			this.operation = this.raises.pollInTurn(this.waiters.isEmpty());
		}
		if (this.operation == null) {
			this.operation = this.requests.due(this.ranges, this.demand, this.waiters, now);
		}
		if (this.operation == null) {
			// Those whose turn it was have left.
			this.operation = this.raises.poll();
		}
		this.raises.started(this.operation);
		start(this.operation, now, effects);
	}

	private void start(@Nullable Operation<?> operation, Moment now, Effects effects) {
		this.deadlineNanos = now.nanos() + this.requests.patience().toNanos();
		send(operation, effects);
	}

	private void send(@Nullable Operation<?> operation, Effects effects) {
		this.unended += (operation != null) ? 1 : 0;
		effects.start(operation);
	}

	Duration requestTimeout() {
		return this.requests.timeout();
	}

	SequenceHealth health() {
		return this.history.health(this.ranges.held());
	}

	/**
	 * Finds out whether ids can be issued again: otherwise an application that gets no
	 * requests because of its health would never learn it. Where nothing would be held of
	 * a reservation, the counter is only read. A return that is being repeated goes on:
	 * nobody needs a number.
	 */
	void seekRecovery(Moment now, Effects effects) {
		if (this.operation instanceof Operation.Pause pause && !pause.isLate(now.nanos())) {
			return;
		}
		if (!this.requests.holdsNothing(now)) {
			ask(new Waiter(false), now, effects);
		}
		else if (now.mode() == EngineMode.RUNNING) {
			send(this.history.check(requestTimeout(), now), effects);
		}
	}

	/**
	 * A check of the counter ended.
	 * @param max the counter's value, or {@code null} where it failed
	 */
	void checked(Operation.CounterCheck check, @Nullable Long max) {
		this.unended--;
		this.history.checked(check, max);
	}

	/**
	 * Whether no promise would be lost with the sequence: it never got a range, was
	 * raised to nothing, has nothing under way, and nobody waits. That its last
	 * reservation failed is lost, so the next one may ask for more than the smallest
	 * range.
	 */
	boolean isForgettable() {
		return this.history.isEmpty() && this.ranges.highestKnown() == 0 && this.unended == 0
				&& !this.waiters.removeSettled() && !this.raises.removeSettled() && this.releases.isEmpty();
	}

	/**
	 * Shows the sequence.
	 * @param document the counter document's {@code _id}
	 */
	SequenceSnapshot snapshot(String document, Moment now) {
		return this.history.snapshot(document, this.ranges, this.requests.own().consecutive(),
				this.requests.nextSize(this.demand, now));
	}

}
