package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
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
 * Decides who gets which number of a sequence, and when. Each method handles one event
 * and collects its effects in a {@link Step}. Not thread-safe: this class has no lock,
 * I/O, thread or clock; {@link RangeSequence} has these, and guards this class by its
 * lock.
 * <p>
 * At most one reservation or return is in flight, so this process never lowers the
 * counter under a reservation of its own. An operation that outlives its time is over,
 * and the next step ends it. An answer counts only while its operation is still in
 * flight. {@link #reset} ends the operation and so leaves the range unused, because a
 * copy of this process may have received the same answer. A raise can be sent at any
 * time. A return that comes after the raise finds another grant and changes nothing, and
 * a range that was granted below the floor is discarded, whichever answer comes first.
 * <p>
 * Callers that find too few numbers wait for the next range. They are served in the order
 * of their arrival, before anybody else can take a number of that range, and share its
 * failure. A block that needs more numbers than are held lets other callers go first.
 * When an operation has ended, {@link #startNext} starts the next one: a return that was
 * requested, then a reservation for the waiters, then a reservation in advance. So
 * callers cannot delay a release indefinitely.
 * <p>
 * A consecutive sequence holds nothing, and neither does any sequence while the engine is
 * paused. The sequence makes each reservation for the first waiter, and returns what is
 * left of the range at once. Only callers that arrived before the reservation was made
 * are served from it. So numbers have the order of the calls, over all processes: if a
 * call begins after another one has ended, its reservation is made later. A return in
 * between sets the counter back only to the last number that was issued.
 */
final class SequenceState {

	private static final Duration FAILURE_COUNTS = Duration.ofMinutes(1);

	private final String name;

	private final HiLoSettings.SequenceSettings settings;

	// How long a caller waits.
	private final Duration timeout;

	private final DocumentIdFormat format;

	private final Demand demand;

	private final HeldRanges ranges;

	private final WaitQueue waiters = new WaitQueue();

	// The last caller, by its arrival, that may be served from the latest range.
	private long lastArrival;

	// The releases that end when nothing is held any more.
	private final List<CompletableFuture<@Nullable RuntimeException>> releases = new ArrayList<>(0);

	// Why a return for these releases failed, if one did.
	private @Nullable RuntimeException releaseFailure;

	// The reservation or return in flight.
	private @Nullable Operation operation;

	// When the operation began, whether or not it was ever sent.
	private long startedNanos;

	// What was reserved and returned since this process started.
	private long reservations;

	private long reserved;

	private long returned;

	// Why the latest reservation failed, if it did.
	private SequenceSnapshot.@Nullable Failure failure;

	SequenceState(String name, HiLoSettings settings) {
		this.name = name;
		this.settings = settings.sequences().apply(name);
		this.timeout = settings.timeout();
		this.format = settings.formats().apply(name);
		this.demand = new Demand(settings, this.settings);
		this.ranges = new HeldRanges(this.demand);
	}

	RangeCursor current() {
		return this.ranges.current();
	}

	boolean isInFlight(Operation operation) {
		return this.operation == operation;
	}

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
		if (!serveAtOnce(waiter, step)) {
			this.waiters.add(waiter, step.nanos());
		}
		startNext(step);
	}

	private boolean serveAtOnce(Waiter waiter, Step step) {
		if (!holdsNothing(step)) {
			if (this.ranges.serveFromSegment(waiter, step)) {
				return true;
			}
			this.ranges.renewSegment();
			return this.ranges.serve(waiter, step);
		}
		// Nothing is held. Who only wants a range to be held is done, and the others wait
		// for reservations of their own.
		if (!waiter.isTaking() && waiter.settle()) {
			step.serve(waiter, null);
		}
		return !waiter.isTaking();
	}

	void leave(Waiter waiter) {
		this.waiters.remove(waiter);
	}

	/**
	 * Handles the answer or the failure of a find. The failure concerns only the callers
	 * whose numbers go to that place.
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
	 * Leaves out a number with which the application is about to store a document. A
	 * number far above what is held is not left out, because the check of a later range
	 * finds the document.
	 */
	void chosen(long number, Step step) {
		if (number > this.ranges.passed() && number <= reach(step)) {
			this.ranges.leaveOut(number, number);
		}
	}

	/**
	 * Returns the highest number that is left out if the application chooses it: where
	 * the next range is expected to end. Until a first range is there, and while a
	 * reservation is in flight, that is not known, and any number is left out.
	 */
	long reach(Step step) {
		boolean any = this.operation instanceof Operation.Reservation || this.reservations == 0;
		return any ? HiLoIdGenerator.MAX_FLOOR : this.ranges.highestLeftOut() + this.demand.nextSize(step.nanos());
	}

	void raised(long floor, Step step) {
		this.ranges.discardUpTo(floor, step);
	}

	void release(CompletableFuture<@Nullable RuntimeException> release, Step step) {
		this.releases.add(release);
		startNext(step);
	}

	/**
	 * Handles a release that took too long: discards what is held instead of returning
	 * it.
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
		TimeoutException cause = new TimeoutException();
		if (late instanceof Operation.Reservation reservation) {
			reserved(reservation, null, step.sequence().noRange(why, cause), step);
		}
		else if (late instanceof Operation.Return unused) {
			returned(unused, null, step.sequence().notReturned(why, cause), step);
		}
	}

	void reserved(Operation.Reservation reservation, @Nullable ReservedRange range, @Nullable RuntimeException failure,
			Step step) {
		if (endIfInFlight(reservation)) {
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
		if (endIfInFlight(operation)) {
			boolean back = Boolean.TRUE.equals(returned);
			step.returnEnded(operation, back, failure, lasted(step));
			this.returned += back ? operation.unused().count() : 0;
			if (failure != null) {
				this.releaseFailure = failure;
			}
			endReleases(step);
			startNext(step);
		}
	}

	private boolean endIfInFlight(Operation ended) {
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
		this.reservations++;
		this.reserved += range.size();
		this.failure = null;
		// After a repeated command the range can be smaller than requested.
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
	 * Serves the waiters. If nothing is to be held, only those who arrived before the
	 * reservation was made.
	 */
	private void serve(Step step, Predicate<Waiter> concerned) {
		long last = holdsNothing(step) ? this.lastArrival : Operation.Reservation.ANYBODY;
		this.waiters.serve(this.ranges, (waiter) -> waiter.arrival() <= last && concerned.test(waiter), step);
	}

	private void failed(RuntimeException failure, Step step) {
		this.waiters.refuse(this.ranges.unissued(), failure, step);
		this.failure = new SequenceSnapshot.Failure(step.time(), String.valueOf(failure.getMessage()));
		this.demand.failed();
	}

	/**
	 * Starts the operation that is due, if none is in flight. After the engine is closed,
	 * refuses all waiters.
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
	 * Returns the return that is due, if any. If nothing is to be held, whatever is left
	 * is returned, too.
	 */
	private Operation.@Nullable Return dueReturn(Step step) {
		if (holdsNothing(step) && this.waiters.size() > 0) {
			this.ranges.skipLeftOut();
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
		boolean waiting = this.waiters.needsMoreThan(this.ranges.unissued());
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
		long highest = this.ranges.highestKnown();
		long least = Math.max(needed, Math.min(usualSize, this.settings.initialSize()));
		long floor = Math.max(this.settings.initialValue() - 1, highest);
		return new RangeRequest(Math.max(needed, usualSize), least, floor, this.ranges.lastLeftOutAbove(floor),
				highest == 0, places(), step.commandDeadline());
	}

	/**
	 * Returns where the numbers of the next range will be stored: in the places of the
	 * waiters, and in those of the current range.
	 */
	private List<Place> places() {
		return Stream.concat(this.waiters.places(), this.ranges.places())
			.distinct()
			.limit(RangeRequest.MAX_PLACES)
			.toList();
	}

	/**
	 * Returns whether each number, or block, is a reservation of its own, of which
	 * nothing is held: in a consecutive sequence, and in an engine that is not running.
	 */
	private boolean holdsNothing(Step step) {
		return this.settings.consecutive() || step.mode() != RangeSequence.Mode.RUNNING;
	}

	/**
	 * Requests a range if none is held and the latest reservation failed. Otherwise an
	 * application that gets no requests because of its health would stay unhealthy.
	 */
	void seekRecovery(Step step) {
		if (this.failure != null && this.ranges.unissued() == 0 && !holdsNothing(step)) {
			ask(Waiter.forRange(), step);
		}
	}

	void forgiveFailure() {
		this.failure = null;
	}

	SequenceSnapshot snapshot(String document, Step step) {
		boolean holdsNothing = holdsNothing(step);
		// Read once, because callers go on taking.
		long last = current().lastTaken();
		// A sequence that holds nothing reserves only for a caller, so a failure counts
		// for a minute.
		boolean available = this.failure == null || this.ranges.unissued() > 0
				|| (holdsNothing && step.time().isAfter(this.failure.time().plus(FAILURE_COUNTS)));
		return new SequenceSnapshot(document, this.format.nodeTag(), this.format.separator(), this.format.digits(),
				this.settings.consecutive() ? true : null, current().held().show(last), this.ranges.showNext(),
				available, holdsNothing ? 1 : this.demand.nextSize(step.nanos()), this.ranges.issued(last),
				this.reserved, this.returned, this.reservations, this.failure);
	}

}
