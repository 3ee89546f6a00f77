package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.store.Deadline;
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

	// In how many places a reservation is checked.
	private static final int MOST_PLACES = 8;

	private final String name;

	private final HiLoSettings.SequenceSettings own;

	// How long a caller waits.
	private final Duration timeout;

	private final DocumentIdFormat format;

	private final Demand demand;

	private final HeldRanges ranges;

	private final WaitQueue waiters = new WaitQueue();

	// The last caller, by its arrival, that may be served of what was reserved last.
	private long lastArrival;

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

	boolean isInFlight(Operation operation) {
		return this.operation == operation;
	}

	/**
	 * The number up to which none is issued any more, the cursor in use apart.
	 */
	long passed() {
		return this.ranges.passed();
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
		waiter.waitFor(Deadline.Phase.RANGE);
		if (!isServed(waiter, step)) {
			this.waiters.add(waiter, step.nanos());
		}
		startNext(step);
	}

	private boolean isServed(Waiter waiter, Step step) {
		if (!holdsNothing(step)) {
			if (this.ranges.serveFromSegment(waiter, step)) {
				return true;
			}
			this.ranges.close();
			return this.ranges.serve(waiter, step);
		}
		// There is no range to wait for, and any number is a reservation of its own.
		if (!waiter.isTaking() && waiter.settle()) {
			step.serve(waiter, null);
		}
		return !waiter.isTaking();
	}

	void leave(Waiter waiter) {
		this.waiters.remove(waiter);
	}

	/**
	 * A find was answered, or failed. Its failure concerns those alone whose numbers go
	 * to that place.
	 */
	void found(Operation.Find find, @Nullable Long stored, @Nullable RuntimeException failure, Step step) {
		find.range().findEnded(find);
		if (stored != null) {
			this.ranges.found(find, stored);
		}
		else {
			this.waiters.refuse(find.place(), Objects.requireNonNull(failure), step);
		}
		serve(step, (waiter) -> find.place().equals(waiter.place()));
		startNext(step);
	}

	/**
	 * The application stores a document with a number that it has chosen. Those far above
	 * what is held move nothing: the check meets them once they are stored.
	 */
	void chosen(long number, Step step) {
		if (number > this.ranges.passed() && number <= reach(step)) {
			this.ranges.leaveOut(number, number);
		}
	}

	/**
	 * The highest number that is left out if the application chooses it: as far as the
	 * next range reaches, or any while it is not known how far that is.
	 */
	long reach(Step step) {
		boolean any = this.operation instanceof Operation.Reservation || this.history.reservations() == 0;
		return any ? HiLoIdGenerator.MAX_FLOOR : this.ranges.highestLeftOut() + this.demand.nextSize(step.nanos());
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
		RangeReturn unused = this.ranges.sealAll(step);
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
		if (this.ranges.mayUse(range)) {
			this.ranges.keep(new HeldRange(range, step.time(), this.format), step.nanos());
			this.lastArrival = reservation.lastArrival();
			serve(step, (waiter) -> true);
		}
		else {
			step.discarded(range.min(), range.max(), "the counter was raised");
		}
	}

	/**
	 * Serves those that wait. What was reserved for one of them is for no other that came
	 * later, unless the pause is over in which it was.
	 */
	private void serve(Step step, Predicate<Waiter> concerned) {
		long last = holdsNothing(step) ? this.lastArrival : Operation.Reservation.ANYBODY;
		this.waiters.serve(this.ranges, (waiter) -> waiter.arrival() <= last && concerned.test(waiter), step);
	}

	private void failed(RuntimeException failure, Step step) {
		this.waiters.refuse(this.ranges.held(), failure, step);
		this.history.failed(failure, step.time());
		this.demand.failed();
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
			this.waiters.refuse(0, ReservationFailure.closed(this.name), step);
		}
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
		if (holdsNothing(step) && this.waiters.size() > 0) {
			// A block would find them in its way for ever.
			this.ranges.passLeftOut();
		}
		RangeReturn unused = (holdsNothing(step) || !this.releases.isEmpty()) ? this.ranges.sealAll(step) : null;
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
		boolean waiting = this.waiters.needsMoreThan(this.ranges.held());
		if (holdsNothing(step)) {
			return waiting
					? new Operation.Reservation(request(this.waiters.ofFirst(), 0, step), 0, this.waiters.lastArrival())
					: null;
		}
		boolean ahead = !this.ranges.hasNext() && this.demand.isPrefetchDue(current(), step.nanos());
		if (!waiting && !ahead) {
			return null;
		}
		long usualSize = this.demand.nextSize(current(), this.waiters.size(), step.nanos());
		return new Operation.Reservation(request(this.waiters.ofBlocks(), usualSize, step), usualSize,
				Operation.Reservation.ANYBODY);
	}

	private RangeRequest request(long needed, long usualSize, Step step) {
		long known = this.ranges.highestKnown();
		long least = Math.max(needed, Math.min(usualSize, this.own.initialSize()));
		long floor = Math.max(this.own.initialValue() - 1, known);
		return new RangeRequest(Math.max(needed, usualSize), least, floor, this.ranges.lastLeftOutAbove(floor),
				known == 0, places(), step.commandDeadline());
	}

	/**
	 * Finds where the numbers of the next range go: to the places of those that wait, and
	 * to those of the range before.
	 */
	private List<Place> places() {
		return Stream.concat(this.waiters.places(), this.ranges.places()).distinct().limit(MOST_PLACES).toList();
	}

	/**
	 * Whether every number, or block, is a reservation of its own, and nothing is held of
	 * it: in a consecutive sequence, and in an engine that is not running.
	 */
	private boolean holdsNothing(Step step) {
		return this.own.consecutive() || step.mode() != RangeSequence.Mode.RUNNING;
	}

	/**
	 * Finds out whether ids can be issued again where they cannot: otherwise an
	 * application that gets no requests because of its health would never learn it.
	 */
	void seekRecovery(Step step) {
		if (this.history.hasFailed() && this.ranges.held() == 0 && !holdsNothing(step)) {
			ask(Waiter.forRange(), step);
		}
	}

	void forgiveFailure() {
		this.history.forgiveFailure();
	}

	SequenceSnapshot snapshot(String document, Step step) {
		return this.history.snapshot(document, this.format, this.ranges, this.own.consecutive(),
				holdsNothing(step) ? step.time() : null, this.demand.nextSize(step.nanos()));
	}

}
