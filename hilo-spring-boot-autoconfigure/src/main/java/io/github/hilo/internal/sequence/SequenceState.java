package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * Decides who gets which number of a sequence and when: takes events, and collects what
 * they lead to in a {@link Step}. It knows no lock, no I/O, no thread and no clock; its
 * {@link RangeSequence} brings these along.
 * <p>
 * At most one reservation or return is in flight, so the counter is never lowered under a
 * reservation of our own. One that outlives its time is over, which the next step finds
 * out. An answer counts only while its operation is still the one in flight:
 * {@link #reset} discards it, and its range, unused, because a copy of this process may
 * have got the same answer. A raise needs no turn: a return that it overtakes matches
 * nothing any more, and a range that was granted below its floor is discarded, whichever
 * answer comes first.
 * <p>
 * Callers that find too few numbers wait for the next range. They are served in the order
 * in which they came, before anybody else can take a number of that range, and share its
 * failure. A block that needs more than is held then lets the others go first. Whenever
 * something has ended, {@link #startNext} says what comes next: a return that was asked
 * for, then a reservation for those that wait, then one in advance. So callers cannot
 * delay a release indefinitely.
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

	// How long a caller waits.
	private final Duration timeout;

	private final DocumentIdFormat format;

	private final Demand demand;

	private final HeldRanges ranges;

	private final WaitQueue waiters = new WaitQueue();

	private final SequenceStatus history = new SequenceStatus();

	// The releases that end when nothing is held any more.
	private final List<CompletableFuture<@Nullable RuntimeException>> releases = new ArrayList<>(0);

	// Why a return that they led to failed, if one did.
	private @Nullable RuntimeException releaseFailure;

	// The reservation or return in flight.
	private @Nullable Operation operation;

	// When the operation began, whether or not it was ever sent.
	private long startedNanos;

	SequenceState(String name, HiLoSettings settings) {
		this.name = name;
		this.own = settings.sequences().apply(name);
		this.timeout = settings.timeout();
		this.format = settings.formats().apply(name);
		this.demand = new Demand(settings, this.own);
		this.ranges = new HeldRanges(this.demand);
	}

	RangeCursor current() {
		return this.ranges.current();
	}

	/**
	 * What is held, reserved or was reserved lately, for those that need no lock.
	 */
	KnownRanges known() {
		return new KnownRanges(this.ranges.current(), this.ranges.next(), this.ranges.recent(),
				(this.operation instanceof Operation.Reservation reservation) ? reservation : null,
				this.history.reservations());
	}

	DocumentIdFormat format() {
		return this.format;
	}

	void requireOpen(Step step) {
		if (step.mode() == RangeSequence.Mode.CLOSED) {
			throw ReservationFailure.closed(this.name);
		}
	}

	void ask(Waiter waiter, Step step) {
		requireOpen(step);
		this.waiters.admit(waiter, holdsNothing(step) ? null : this.ranges, step);
		startNext(step);
	}

	void leave(Waiter waiter) {
		this.waiters.remove(waiter);
	}

	void skip(HeldRange range, long number) {
		this.ranges.skip(range, number);
	}

	/**
	 * The counter was raised. That counts whatever was forgotten meanwhile.
	 */
	void raised(long floor, Step step) {
		this.ranges.discardUpTo(floor, step);
	}

	/**
	 * Somebody asks for the return of what is unissued, as soon as those that wait for a
	 * reservation in flight have their numbers.
	 */
	void release(CompletableFuture<@Nullable RuntimeException> release, Step step) {
		this.releases.add(release);
		startNext(step);
	}

	/**
	 * A release took too long: what is held is discarded instead of returned.
	 */
	void discard(Step step) {
		forget(step, "its return took too long");
		startNext(step);
	}

	private void forget(Step step, String why) {
		RangeReturn unused = this.ranges.sealAll(step, requestTimeout());
		if (unused != null) {
			step.discarded(unused.lastIssued() + 1, unused.max(), why);
		}
	}

	/**
	 * What is held is forgotten, and whatever is in flight: after a pause this process
	 * may be one of several copies, all of which remember the same.
	 */
	void reset(Step step) {
		if (this.operation instanceof Operation.Reservation reservation) {
			step.reservationEnded(reservation, null, null, lasted(step));
		}
		this.operation = null;
		forget(step, "everything was forgotten after a pause");
		this.history.resetProbe();
		endReleases(step);
	}

	/**
	 * Ends the operation in flight if its time is up. If an answer comes all the same, it
	 * is discarded.
	 */
	void expire(Step step) {
		Operation late = this.operation;
		if (late == null || step.nanos() - this.startedNanos < this.timeout.toNanos()) {
			return;
		}
		String why = ReservationFailure.noAnswerWithin(this.timeout);
		if (late instanceof Operation.Reservation reservation) {
			reserved(reservation, null, ReservationFailure.noRange(step.sequence(), why, null), step);
		}
		else if (late instanceof Operation.Return unused) {
			returned(unused, null, ReservationFailure.notReturned(step.sequence(), why, null), step);
		}
	}

	void reserved(Operation.Reservation reservation, @Nullable ReservedRange range, @Nullable RuntimeException failure,
			Step step) {
		if (ends(reservation)) {
			step.reservationEnded(reservation, range, failure, lasted(step));
			if (range != null) {
				keep(range, reservation, step);
			}
			else {
				failed(Objects.requireNonNull(failure), step);
			}
			startNext(step);
		}
		else if (range != null) {
			step.discarded(range.min(), range.max(), "the answer came too late");
		}
	}

	void returned(Operation.Return operation, @Nullable Boolean returned, @Nullable RuntimeException failure,
			Step step) {
		if (ends(operation)) {
			boolean back = Boolean.TRUE.equals(returned);
			step.returnEnded(operation, back, failure, lasted(step));
			this.history.returned(back ? operation.unused().count() : 0);
			if (failure != null) {
				this.releaseFailure = failure;
			}
			endReleases(step);
			startNext(step);
		}
	}

	private boolean ends(Operation ended) {
		boolean ends = this.operation == ended;
		if (ends) {
			this.operation = null;
		}
		return ends;
	}

	private Duration lasted(Step step) {
		return Duration.ofNanos(step.nanos() - this.startedNanos);
	}

	private void keep(ReservedRange range, Operation.Reservation reservation, Step step) {
		this.history.reserved(range);
		this.demand.reserved(Math.min(reservation.usualSize(), range.size()));
		reservation.places().foundFree(range.free(), range.min());
		HeldRange held = new HeldRange(range, step.time(), this.format, reservation.places());
		if (!this.ranges.mayUse(range)) {
			step.discarded(range.min(), range.max(), "the counter was raised");
		}
		else {
			if (!this.ranges.keep(held, step.nanos()) && !this.waiters.isEmpty()) {
				// They need more than was left, and others are taking from that.
				this.ranges.endSegment();
			}
			// Made during a pause, it is for whoever waits if the pause is over.
			this.waiters.serve(this.ranges,
					holdsNothing(step) ? reservation.lastArrival() : Operation.Reservation.ANYBODY, step);
		}
	}

	private void failed(RuntimeException failure, Step step) {
		this.waiters.refuse(failure, step);
		this.history.failed(failure, step.time());
		this.demand.failed(step.nanos());
		this.ranges.endSegment();
	}

	/**
	 * Starts what is due next, if nothing is in flight. Once the engine is closed, nobody
	 * waits any more.
	 */
	void startNext(Step step) {
		if (this.operation != null) {
			return;
		}
		if (step.mode() == RangeSequence.Mode.CLOSED) {
			this.waiters.refuse(ReservationFailure.closed(this.name), step);
		}
		this.waiters.removeSettled();
		this.operation = dueReturn(step);
		if (this.operation == null) {
			this.operation = dueReservation(step);
		}
		this.startedNanos = step.nanos();
		step.start(this.operation);
	}

	/**
	 * Makes the return that is due, if any. Where nothing is to be held, whatever is left
	 * goes back, too.
	 */
	private Operation.@Nullable Return dueReturn(Step step) {
		RangeReturn unused = (holdsNothing(step) || !this.releases.isEmpty())
				? this.ranges.sealAll(step, requestTimeout()) : null;
		if (unused == null) {
			endReleases(step);
		}
		return (unused != null) ? new Operation.Return(unused) : null;
	}

	private void endReleases(Step step) {
		this.releases.forEach((release) -> step.end(release, this.releaseFailure));
		this.releases.clear();
		this.releaseFailure = null;
	}

	private Operation.@Nullable Reservation dueReservation(Step step) {
		boolean waiting = !this.waiters.isEmpty();
		if (holdsNothing(step)) {
			return waiting ? Operation.Reservation.forOne(request(this.waiters.ofFirst(), 0, step),
					this.waiters.lastArrival(), new FreePlaces(this.own.checked())) : null;
		}
		boolean ahead = !this.ranges.hasNext() && this.demand.isPrefetchDue(current(), step.nanos());
		if (!waiting && !ahead) {
			return null;
		}
		long usualSize = this.demand.nextSize(current(), this.waiters.size(), step.nanos());
		return Operation.Reservation.ofRange(request(this.waiters.ofBlocks(), usualSize, step), usualSize,
				new FreePlaces(this.own.checked()));
	}

	private RangeRequest request(long needed, long usualSize, Step step) {
		long known = this.ranges.highestKnown();
		long least = Math.max(needed, Math.min(usualSize, this.own.initialSize()));
		return new RangeRequest(Math.max(needed, usualSize), least, Math.max(this.own.initialValue() - 1, known),
				known == 0, places(), step.deadline(requestTimeout()));
	}

	/**
	 * Finds where the numbers of the next range go: to the places of those that wait, and
	 * to those of the range before.
	 */
	private List<Place> places() {
		return Stream.concat(this.waiters.places(), current().held().places().used().stream())
			.distinct()
			.limit(FreePlaces.MOST)
			.toList();
	}

	/**
	 * Whether every number, or block, is a reservation of its own, and nothing is held of
	 * it: in a consecutive sequence, and in an engine that is not running.
	 */
	private boolean holdsNothing(Step step) {
		return this.own.consecutive() || step.mode() != RangeSequence.Mode.RUNNING;
	}

	/**
	 * By when the store has to answer: sooner than a caller gives up, so that its waiters
	 * learn why it failed.
	 */
	Duration requestTimeout() {
		return this.timeout.multipliedBy(9).dividedBy(10);
	}

	/**
	 * Finds out whether ids can be issued again where they cannot: otherwise an
	 * application that gets no requests because of its health would never learn it. Where
	 * nothing would be held of a reservation, the counter is only read.
	 */
	void seekRecovery(Step step) {
		if (!this.history.hasFailed() || this.ranges.held() > 0) {
			return;
		}
		if (!holdsNothing(step)) {
			ask(new Waiter(0, null), step);
		}
		else if (step.mode() == RangeSequence.Mode.RUNNING) {
			step.start(this.history.probe(requestTimeout(), step.nanos()));
		}
	}

	void probed(Operation.Probe probe, @Nullable Long max) {
		this.history.probed(probe, max);
	}

	void forgiveFailure() {
		this.history.forgiveFailure();
	}

	SequenceSnapshot snapshot(String document, Step step) {
		return this.history.snapshot(document, this.format, this.ranges, this.own.consecutive(),
				holdsNothing(step) ? 1 : this.demand.nextSize(step.nanos()));
	}

}
