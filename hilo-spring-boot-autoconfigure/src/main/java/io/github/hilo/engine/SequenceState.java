package io.github.hilo.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * Decides who gets which number of a sequence and when: takes events, and collects what
 * they lead to as {@link Effects}. It knows no lock, no I/O, no thread and no clock; its
 * {@link RangeSequence} brings these along.
 * <p>
 * At most one {@link Operation} is in flight, a reservation, a return or a raise, so the
 * counter is never lowered under a reservation of our own. One that outlives its time is
 * over, which the next event finds out. An answer counts only while its operation is
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

	private final HiLoSettings.SequenceSettings own;

	/**
	 * How long a caller waits.
	 */
	private final Duration patience;

	private final DocumentIdFormat format;

	private final Demand demand;

	private final HeldRanges ranges;

	private final WaitQueue waiters = new WaitQueue();

	private final RaiseQueue raises = new RaiseQueue();

	private final Releases releases = new Releases();

	private final SequenceHistory history = new SequenceHistory();

	private @Nullable Operation<?> operation;

	/**
	 * When the operation began, whether or not it was ever sent.
	 */
	private long startedNanos;

	SequenceState(String name, HiLoSettings settings) {
		this.name = name;
		this.own = settings.sequences().apply(name);
		this.patience = settings.timeout();
		this.format = DocumentIdFormat.of(name, settings.identityPartsSeparator(), settings.nodeTag());
		this.demand = new Demand(settings, this.own);
		this.ranges = new HeldRanges(this.demand);
	}

	RangeCursor current() {
		return this.ranges.current();
	}

	/**
	 * A caller asks for a number, a block or a range that is held.
	 */
	void ask(Waiter waiter, Moment now, Effects effects) {
		now.requireOpen(this.name);
		this.waiters.admit(waiter, holdsNothing(now) ? null : this.ranges, now.nanos(), effects);
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
	 * @param release ends when nothing is held any more, with why a return failed
	 */
	void release(CompletableFuture<@Nullable RuntimeException> release, Moment now, Effects effects) {
		this.releases.add(release);
		startNext(now, effects);
	}

	/**
	 * A release took too long: what is held is discarded instead of returned.
	 */
	void discard(Moment now, Effects effects) {
		this.ranges.sealAll(requestTimeout());
		startNext(now, effects);
	}

	/**
	 * What is held is forgotten, and whatever is in flight: after a pause this process
	 * may be one of several copies, all of which remember the same.
	 */
	void reset(Moment now, Effects effects) {
		if (this.operation instanceof Operation.Reservation reservation) {
			effects.reservationEnded(reservation, null, null, lasted(now));
		}
		this.operation = null;
		this.waiters.reset();
		this.ranges.sealAll(requestTimeout());
		this.ranges.resetIssued();
		this.history.resetCheck();
		this.releases.end(effects);
	}

	/**
	 * Finds the operation in flight if its time is up.
	 */
	@Nullable Operation<?> late(Moment now) {
		return (now.nanos() - this.startedNanos >= this.patience.toNanos()) ? this.operation : null;
	}

	/**
	 * A reservation ended.
	 * @param range the range, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 */
	void reserved(Operation.Reservation reservation, @Nullable ReservedRange range, @Nullable RuntimeException failure,
			Moment now, Effects effects) {
		if (ends(reservation)) {
			effects.reservationEnded(reservation, range, failure, lasted(now));
			if (range != null) {
				keep(range, reservation, now, effects);
			}
			else {
				failed(Objects.requireNonNull(failure), now, effects);
			}
			startNext(now, effects);
		}
	}

	/**
	 * A return ended.
	 * @param returned whether the numbers went back, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 */
	void returned(Operation.Return operation, @Nullable Boolean returned, @Nullable RuntimeException failure,
			Moment now, Effects effects) {
		if (ends(operation)) {
			boolean back = Boolean.TRUE.equals(returned);
			effects.returnEnded(operation, back, failure, lasted(now), now.mode() != EngineMode.RUNNING);
			this.history.returned(back ? operation.unused().count() : 0);
			if (failure != null) {
				this.releases.failed(failure);
			}
			this.releases.end(effects);
			startNext(now, effects);
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
		if (max != null) {
			this.ranges.discardUpTo(raise.floor());
			this.waiters.restartBlocks();
		}
		if (ends(raise)) {
			effects.raiseEnded(raise, max, lasted(now));
			startNext(now, effects);
		}
		effects.end(raise, max, failure);
	}

	/**
	 * Whether an operation is the one in flight, which ends with this.
	 */
	private boolean ends(Operation<?> ended) {
		boolean ends = this.operation == ended;
		if (ends) {
			this.operation = null;
		}
		return ends;
	}

	private Duration lasted(Moment now) {
		return Duration.ofNanos(now.nanos() - this.startedNanos);
	}

	private void keep(ReservedRange range, Operation.Reservation reservation, Moment now, Effects effects) {
		this.history.reserved(range);
		this.demand.reserved(Math.min(reservation.usualSize(), range.size()));
		if (this.ranges.mayUse(range)
				&& this.ranges.keep(RangeCursor.Held.of(range, now.time(), this.format), now.nanos())) {
			// Made during a pause, it is for whoever waits if the pause is over.
			Operation.Reservation served = holdsNothing(now) ? reservation : reservation.forAnybody();
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
		if (this.operation != null) {
			return;
		}
		if (now.mode() == EngineMode.CLOSED) {
			this.raises.refuse(ReservationFailure.closed(this.name), effects);
			this.waiters.refuse(ReservationFailure.closed(this.name), effects);
		}
		this.operation = this.releases.nextReturn(this.ranges, holdsNothing(now), requestTimeout(), effects);
		if (this.operation == null) {
			this.operation = this.raises.pollInTurn(this.waiters.isEmpty());
		}
		if (this.operation == null) {
			this.operation = dueReservation(now);
		}
		if (this.operation == null) {
			// Those whose turn it was have left.
			this.operation = this.raises.poll();
		}
		this.raises.started(this.operation);
		this.startedNanos = now.nanos();
		effects.start(this.operation);
	}

	/**
	 * Makes the reservation that is due, if any: for those that wait, or in advance.
	 */
	private Operation.@Nullable Reservation dueReservation(Moment now) {
		boolean waiting = this.waiters.removeSettled();
		if (holdsNothing(now)) {
			return waiting ? Operation.Reservation.forOne(request(this.waiters.missingToFirst(), 0),
					this.waiters.lastArrival()) : null;
		}
		boolean ahead = !this.ranges.hasNext() && this.demand.isPrefetchDue(current(), now.nanos());
		if (!waiting && !ahead) {
			return null;
		}
		long usualSize = this.demand.nextSize(current(), this.waiters.size(), now.nanos());
		return Operation.Reservation.ofRange(request(this.waiters.missing(), usualSize), usualSize);
	}

	/**
	 * Asks for what those that wait are missing.
	 * @param usualSize how many numbers the range has at least, or 0
	 */
	private RangeRequest request(long missing, long usualSize) {
		long known = this.ranges.highestKnown();
		long least = Math.max(missing, Math.min(usualSize, this.own.initialSize()));
		return new RangeRequest(Math.max(missing, usualSize), least, Math.max(this.own.initialValue() - 1, known),
				known == 0, this.ranges.issuedSinceReset() - this.waiters.undelivered(), requestTimeout());
	}

	/**
	 * Whether every number, or block, is a reservation of its own, and nothing is held of
	 * it: in a consecutive sequence, and in an engine that is not running.
	 */
	private boolean holdsNothing(Moment now) {
		return this.own.consecutive() || now.mode() != EngineMode.RUNNING;
	}

	/**
	 * By when the store has to answer: sooner than a caller gives up, so that its waiters
	 * learn why it failed.
	 */
	Duration requestTimeout() {
		return this.patience.multipliedBy(9).dividedBy(10);
	}

	/**
	 * Finds out whether ids can be issued again where they cannot: otherwise an
	 * application that gets no requests because of its health would never learn it. Where
	 * nothing would be held of a reservation, the counter is only read.
	 */
	void seekRecovery(Moment now, Effects effects) {
		if (!this.history.hasFailed() || this.ranges.held() > 0) {
			return;
		}
		if (!holdsNothing(now)) {
			ask(new Waiter(false), now, effects);
		}
		else if (now.mode() == EngineMode.RUNNING) {
			effects.start(this.history.check(requestTimeout(), now));
		}
	}

	/**
	 * A check of the counter ended.
	 * @param max the counter's value, or {@code null} where it failed
	 */
	void checked(Operation.CounterCheck check, @Nullable Long max) {
		this.history.checked(check, max);
	}

	/**
	 * An operator says that the last failure is over.
	 */
	void forgiveFailure() {
		this.history.forgiveFailure();
	}

	/**
	 * Shows the sequence.
	 * @param document the counter document's {@code _id}
	 */
	SequenceSnapshot snapshot(String document, Moment now) {
		return this.history.snapshot(document, this.ranges, this.own.consecutive(),
				holdsNothing(now) ? 1 : this.demand.nextSize(now.nanos()));
	}

}
