package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * Decides who gets which number of a sequence, and when. Each method handles one event
 * and collects its effects in a {@link Step}. Not thread-safe: this class has no lock,
 * I/O, thread or clock; {@link RangeSequence} has these, and guards this class by its
 * lock. What may happen in which state is a table of the package's documentation.
 *
 * <h2>Reserve</h2> At most one reservation or return is in flight, so this process never
 * lowers the counter under a reservation of its own. An operation that outlives its time
 * is over, and the next step ends it. An answer counts only while its operation is in
 * flight. {@link #reset} ends the operation, so its range stays unused: this process may
 * be one of several that were restored from one snapshot, and each of them may get the
 * same answer. A raise can be sent at any time. A return that reaches the counter after
 * the raise changes nothing, because the raise has replaced the grant that the return
 * names. A range that was granted below the floor is discarded, whichever answer comes
 * first.
 * <p>
 * When an operation has ended, {@link #startNext} starts the next one: a return that was
 * requested, then a reservation for the waiters, then a reservation in advance. So
 * callers cannot delay a release indefinitely.
 *
 * <h2>Cover</h2> A new range is covered nowhere. One find is sent for each place where a
 * caller waits, and for each place for which callers of the range before took numbers
 * last. The find asks for the highest stored number of the range. Numbers up to that one
 * are excluded, and the range is covered in the place. A find that fails refuses the
 * callers who brought its client, and one of the others sends the next. If exclusion
 * leaves too few numbers, the next range is larger ({@link Demand#tooFewLeft},
 * {@link RoomSearch}).
 * <p>
 * A find of a consecutive sequence also looks at the numbers above its range. Those up to
 * the next stored one are a <b>window</b>, and a range inside needs no find. All windows
 * end when the counter may have changed otherwise than by being counted up, or when what
 * is held is given up ({@link Windows}).
 *
 * <h2>Take</h2> Callers that find too few numbers wait for the next range, and those
 * whose place is not covered wait for the find. They are served in the order of their
 * arrival, before anybody else can take a number of that range, and share its failure. A
 * block that needs more numbers than are held lets other callers go first, and so does a
 * caller whose place must be covered.
 *
 * <h2>Nothing is held</h2> A consecutive sequence holds nothing, and neither does any
 * sequence while the engine is not running. Callers that wait share a reservation: they
 * are a batch ({@link WaitQueue#batch}). A caller that arrives later is not served from
 * its range, because another process may have issued higher numbers meanwhile. For this
 * reason the range's cursor is not published, and no other operation starts while a
 * caller of the batch waits for a find. What the batch leaves of the range is returned.
 * So numbers have the order of the calls, over all processes: if a call begins after
 * another one has ended, its reservation is made later. A return in between sets the
 * counter back only to the last number that was issued.
 */
final class SequenceState {

	private static final Duration FAILURE_COUNTS = Duration.ofMinutes(1);

	// How many finds one step starts at most: for a caller without a place, or for places
	// where a new range is covered before anybody waits.
	private static final int MOST_COVERED_AT_ONCE = 8;

	private final String name;

	private final HiLoSettings.SequenceSettings settings;

	private final Places places;

	// How long a caller waits.
	private final Duration timeout;

	private final DocumentIdFormat format;

	private final Demand demand;

	private final HeldRanges ranges;

	private final Finds finds;

	private final Windows windows = new Windows();

	private final WaitQueue waiters = new WaitQueue();

	// The arrival of the last caller that may be served from what is held.
	private long lastServed = Operation.Reservation.ANYBODY;

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

	// How many callers came from seekRecovery, which is no use of the sequence.
	private long recoveries;

	private final Outages outages = new Outages();

	// The last block of a consecutive sequence that failed because of stored numbers.
	private @Nullable NoRoom noRoom;

	/**
	 * @param places where numbers are stored, as far as this is known
	 * @param chosen the numbers that the application has chosen
	 */
	SequenceState(String name, HiLoSettings settings, Places places, ChosenNumbers chosen) {
		this.name = name;
		this.places = places;
		this.settings = settings.sequences().apply(name);
		this.timeout = settings.timeout();
		this.format = settings.formats().apply(name);
		this.demand = new Demand(settings, this.settings);
		this.ranges = new HeldRanges(this.demand, chosen);
		this.finds = new Finds(this.timeout);
	}

	/**
	 * Returns the cursor from which callers without the lock may take.
	 */
	RangeCursor published(Step step) {
		return step.holdsRanges() ? this.ranges.current() : RangeCursor.EMPTY;
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

	/**
	 * Returns a number that grows with each number that is issued and each caller who
	 * waits for one.
	 */
	long used() {
		return this.ranges.issued(this.ranges.current().lastTaken()) + this.waiters.lastArrival() - this.recoveries;
	}

	/**
	 * Returns whether nothing is held, in flight or waited for.
	 */
	boolean isAtRest() {
		return !isOperationInFlight() && this.waiters.isEmpty() && this.ranges.unissued() == 0 && !isReleasing()
				&& this.finds.isEmpty();
	}

	void requireOpen(Step step) {
		if (step.mode() == RangeSequence.Mode.CLOSED) {
			throw ReservationFailure.closed(this.name);
		}
	}

	void ask(Waiter waiter, Step step) {
		askAll(List.of(waiter), step);
	}

	/**
	 * Serves callers, or lets them wait, and then starts what is due for all of them.
	 */
	void askAll(List<Waiter> callers, Step step) {
		for (Waiter waiter : callers) {
			if (step.mode() == RangeSequence.Mode.CLOSED) {
				step.refuse(waiter, ReservationFailure.closed(this.name));
			}
			else if (isHopeless(waiter, step)) {
				step.refuse(waiter, step.sequence().noRange(Objects.requireNonNull(this.noRoom).why()));
			}
			else if (!serveOnArrival(waiter, step)) {
				this.waiters.add(waiter);
			}
		}
		startNext(step);
	}

	private boolean serveOnArrival(Waiter waiter, Step step) {
		if (step.holdsRanges()) {
			if (this.ranges.takeFromSegment(waiter)) {
				step.serve(waiter);
				return true;
			}
			this.ranges.renewSegment();
			return serveFromNewSegment(waiter, step);
		}
		if (waiter.isTaking()) {
			waiter.awaitRange(step.nanos());
			return false;
		}
		// None is held, so a caller that only wants a range to be held is done.
		step.serve(waiter);
		return true;
	}

	/**
	 * Serves a caller all the numbers that it needs, or none. Call
	 * {@link HeldRanges#renewSegment()} before.
	 * @return whether the caller is done, because it was served or has left
	 */
	private boolean serveFromNewSegment(Waiter waiter, Step step) {
		if (!isEnoughFor(waiter)) {
			waiter.awaitRange(step.nanos());
			return false;
		}
		HeldRange uncovered = this.ranges.uncoveredFor(waiter);
		if (uncovered != null) {
			Operation.Find find = startFindsFor(waiter, uncovered, step);
			if (find != null) {
				waiter.awaitFind(find.deadline(), step.nanos());
			}
			else {
				// What is held is about to be returned.
				waiter.awaitRange(step.nanos());
			}
			return false;
		}
		if (waiter.settle()) {
			if (needsAdjacent(waiter)) {
				this.ranges.skipTo(this.ranges.firstAdjacent(waiter.count()));
			}
			this.ranges.take(waiter, step.nanos());
			step.answer(waiter);
		}
		return true;
	}

	private boolean isEnoughFor(Waiter waiter) {
		return needsAdjacent(waiter) ? this.ranges.firstAdjacent(waiter.count()) != RangeCursor.NONE
				: waiter.toBeHeld() <= this.ranges.unissued();
	}

	/**
	 * Returns whether the numbers of a caller must be adjacent: those of a block of a
	 * consecutive sequence.
	 */
	private boolean needsAdjacent(Waiter waiter) {
		return this.settings.consecutive() && waiter.isBlock();
	}

	/**
	 * Starts the finds that a caller waits for.
	 * @return one of them, if there is one now
	 */
	private Operation.@Nullable Find startFindsFor(Waiter waiter, HeldRange held, Step step) {
		Place place = waiter.place();
		RangeStore store = step.storeOf(waiter);
		return (place != null) ? startFind(held, place, store, step)
				: startFindsWithoutPlace(held, waiter.placesToCover(), MOST_COVERED_AT_ONCE, store, step);
	}

	private Operation.@Nullable Find startFindsWithoutPlace(HeldRange held, int known, int most, RangeStore store,
			Step step) {
		Operation.Find first = null;
		for (Place place : held.uncovered(known, most)) {
			Operation.Find find = startFind(held, place, store, step);
			first = (first != null) ? first : find;
		}
		return first;
	}

	/**
	 * Returns whether a caller needs a range that is covered in a place.
	 */
	private boolean needs(Waiter waiter, Place place) {
		return (waiter.place() != null) ? place.equals(waiter.place())
				: this.places.indexOf(place) < waiter.placesToCover();
	}

	/**
	 * Starts a find, unless what is held is about to be returned. If nothing is to be
	 * held, the return comes after the finds of its batch.
	 * @return the find in flight in the place, if there is one now
	 */
	private Operation.@Nullable Find startFind(HeldRange held, Place place, RangeStore store, Step step) {
		if (step.holdsRanges() && isReleasing()) {
			return null;
		}
		long first = this.ranges.first(held);
		Windows.LookAhead ahead = opensWindows(step) ? this.windows.lookAhead(held, place, first, this.format, step)
				: Windows.LookAhead.NONE;
		return this.finds.start(held, place, first, ahead, store, step);
	}

	private boolean isReleasing() {
		return !this.releases.isEmpty();
	}

	private boolean opensWindows(Step step) {
		return this.settings.consecutive() && step.mode() == RangeSequence.Mode.RUNNING;
	}

	void leave(Waiter waiter, Step step) {
		step.addWaits(waiter);
		this.waiters.remove(waiter);
		if (this.waiters.isEmpty()) {
			this.demand.forgetLosses();
		}
		startNext(step);
	}

	/**
	 * Handles the answer or the failure of a find. Both concern only what is still held,
	 * and the callers of that place.
	 */
	void found(Operation.Find find, Operation.@Nullable Found found, @Nullable RuntimeException failure, Step step) {
		boolean wasInFlight = this.finds.remove(find);
		if (failure != null) {
			findFailed(find, failure, wasInFlight, step);
		}
		else {
			findSucceeded(find, Objects.requireNonNull(found), step);
		}
		serveWaiters(step, (waiter) -> needs(waiter, find.place()));
		startNext(step);
	}

	/**
	 * Refuses the callers who brought the client of a find that failed. If others wait
	 * for that find, one of them causes the next one, through a client of its own. The
	 * place fails if nobody else waits, or if its last find has failed, too.
	 */
	private void findFailed(Operation.Find find, RuntimeException failure, boolean wasInFlight, Step step) {
		Place place = find.place();
		boolean concernsWaiters = wasInFlight && this.ranges.isHeld(find.range());
		Predicate<Waiter> waitsForIt = (waiter) -> concernsWaiters && isServed(waiter, step) && needs(waiter, place)
				&& this.ranges.uncoveredFor(waiter) == find.range();
		this.waiters.refuse((waiter) -> waitsForIt.test(waiter) && hasClientOf(find, waiter), failure, step);
		if (this.waiters.first(waitsForIt) == null || this.finds.hasFailed(place)) {
			step.findEnded(find, null, failure);
			if (wasInFlight || !this.finds.isInFlight(place)) {
				this.outages.failed(place, failure, step);
			}
		}
		this.finds.failed(place);
	}

	private void findSucceeded(Operation.Find find, Operation.Found found, Step step) {
		this.finds.succeeded(find.place());
		step.findEnded(find, found.highest(), null);
		this.outages.succeeded(find.place(), step);
		if (this.ranges.isHeld(find.range())) {
			cover(find.range(), find.place(), found.highest(), step);
		}
		if (found.freeUpTo() > 0) {
			this.windows.open(find, found.freeUpTo());
		}
	}

	/**
	 * Covers a held range in a place. Whether enough is left is judged by the first
	 * caller who waits there. If nobody does, one number is enough.
	 */
	private void cover(HeldRange held, Place place, long stored, Step step) {
		long excluded = this.ranges.cover(held, place, stored);
		if (excluded == 0) {
			return;
		}
		Waiter first = this.waiters.first((waiter) -> isServed(waiter, step) && needs(waiter, place));
		boolean enough = (first != null) ? isEnoughFor(first) : this.ranges.unissuedIn(held) > 0;
		if (first != null && !enough && needsAdjacent(first)) {
			searchFurther(first, held, place, stored, step);
		}
		else if (!enough) {
			this.demand.tooFewLeft(held.range());
		}
		else if (excluded > held.range().size() / 2) {
			this.demand.mostExcluded(held.range());
		}
	}

	/**
	 * Lets a block of a consecutive sequence look for adjacent numbers in a larger range,
	 * or refuses it. Only the block's own ranges grow, and not those of the callers
	 * behind it.
	 */
	private void searchFurther(Waiter block, HeldRange held, Place place, long stored, Step step) {
		RoomSearch search = searchOf(block);
		search.noRoomIn(held);
		if (search.hasFailed()) {
			NoRoom found = new NoRoom(block.count(), place, step.nanos() + RoomSearch.FAILURE_LASTS.toNanos(),
					search.failure(block.count(), place, stored));
			this.noRoom = found;
			// Others that wait would look for the same in vain.
			this.waiters.refuse((waiter) -> isHopeless(waiter, step), step.sequence().noRange(found.why()), step);
		}
	}

	private RoomSearch searchOf(Waiter block) {
		return block.search(this.settings.maxSize());
	}

	/**
	 * Returns whether a block would look for adjacent numbers in vain.
	 */
	private boolean isHopeless(Waiter waiter, Step step) {
		NoRoom known = this.noRoom;
		return known != null && needsAdjacent(waiter) && waiter.count() >= known.count() && needs(waiter, known.place())
				&& step.nanos() - known.untilNanos() < 0;
	}

	/**
	 * Excludes a number with which the application is about to store a document, if a
	 * held range can still issue it.
	 */
	void exclude(long number) {
		this.ranges.exclude(number);
	}

	/**
	 * Returns whether a held range may issue a number, for any thread.
	 */
	boolean mayIssue(long number) {
		return this.ranges.mayIssue(number);
	}

	void raised(long floor, Step step) {
		this.noRoom = null;
		this.windows.endAll();
		this.ranges.discardUpTo(floor, step);
		startNext(step);
	}

	void release(CompletableFuture<@Nullable RuntimeException> release, Step step) {
		this.windows.endAll();
		if (!step.holdsRanges() && servesAnybody()) {
			// Nothing is to be held any more. Those that wait for a find are served, and
			// callers that come later cannot delay the return.
			this.lastServed = this.waiters.lastArrival();
		}
		this.releases.add(release);
		startNext(step);
	}

	private boolean servesAnybody() {
		return this.lastServed == Operation.Reservation.ANYBODY;
	}

	/**
	 * Handles a release that took too long: discards what is held instead of returning
	 * it, and waits for no find.
	 */
	void discard(Step step) {
		forget(step, "its return took too long");
		startNext(step);
	}

	private void forget(Step step, String why) {
		this.windows.endAll();
		this.finds.forget();
		RangeReturn unused = this.ranges.sealAll(step);
		if (unused != null) {
			step.discarded(unused.newMax() + 1, unused.max(), why);
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
	 * Ends the operation and the finds in flight whose time is up. If the answer of an
	 * operation comes all the same, it is discarded.
	 */
	void expire(Step step) {
		List<Place> overdue = this.finds.removeOverdue(step);
		// Who waits for an overdue find starts it again, but not for a range that is
		// about to be returned.
		if (step.holdsRanges()) {
			overdue.forEach((place) -> serveWaiters(step, (waiter) -> needs(waiter, place)));
		}
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
			if (range != null) {
				step.reservationEnded(reservation, range, null, lasted(step));
				granted(range, reservation, step);
			}
			else {
				failed(reservation, Objects.requireNonNull(failure), step);
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
			this.returned += back ? operation.numbers().count() : 0;
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

	private void granted(ReservedRange range, Operation.Reservation reservation, Step step) {
		this.reservations++;
		this.reserved += range.size();
		if (!range.plain()) {
			this.windows.endAll();
		}
		this.outages.succeeded(null, step);
		// After a repeated command the range can be smaller than requested.
		this.demand.reserved(Math.min(reservation.usualSize(), range.size()));
		if (this.ranges.mayUse(range)) {
			hold(range, reservation.lastArrival(), step);
		}
		else {
			step.discarded(range.min(), range.max(), "the counter was raised");
		}
	}

	private void hold(ReservedRange range, long lastOfBatch, Step step) {
		HeldRange before = this.ranges.current().held();
		List<Place> lastUsed = before.lastUsed(MOST_COVERED_AT_ONCE);
		HeldRange held = new HeldRange(range, step.time(), this.format, this.places);
		this.ranges.add(held, step.nanos());
		this.windows.placesOf(range, step).forEach(held::cover);
		if (this.ranges.unissuedIn(held) == 0) {
			// The application has chosen all its numbers.
			this.demand.tooFewLeft(range);
			return;
		}
		// A reservation to be held was made for anybody. If the engine stopped meanwhile,
		// only those who have arrived are served.
		this.lastServed = step.holdsRanges() ? Operation.Reservation.ANYBODY
				: Math.min(lastOfBatch, this.waiters.lastArrival());
		serveWaiters(step, (waiter) -> true);
		if (this.ranges.unissuedIn(held) == 0) {
			return;
		}
		lastUsed.stream().limit(findsToStart(step)).forEach((place) -> startFind(held, place, step.store(), step));
		if (before.isUsedWithoutPlace()) {
			startFindsWithoutPlace(held, this.places.size(), findsToStart(step), step.store(), step);
		}
	}

	/**
	 * Returns how many more finds a step may start, if all that it has started are finds.
	 */
	private static int findsToStart(Step step) {
		return Math.max(0, MOST_COVERED_AT_ONCE - step.operations().size());
	}

	/**
	 * Serves the waiters. If nothing is to be held, only those of the batch for which the
	 * reservation was made.
	 */
	private void serveWaiters(Step step, Predicate<Waiter> concerned) {
		if (!this.waiters.isEmpty()) {
			this.ranges.renewSegment();
			this.waiters.removeServed(
					(waiter) -> isServed(waiter, step) && concerned.test(waiter) && serveFromNewSegment(waiter, step));
		}
	}

	private boolean isServed(Waiter waiter, Step step) {
		return step.holdsRanges() || waiter.arrival() <= this.lastServed;
	}

	/**
	 * Returns whether nothing is to be held, and a caller that may be served from what is
	 * left waits for a find. The find can be of an earlier range.
	 */
	private boolean isCovering(Step step) {
		return !step.holdsRanges() && this.ranges.unissued() > 0 && this.waiters.any((waiter) -> isServed(waiter, step)
				&& !waiter.isSettled() && this.finds.anyInFlight((place) -> needs(waiter, place), step));
	}

	/**
	 * Refuses the callers who brought the client of a reservation that failed. If others
	 * wait, one of them causes the next reservation, through a client of its own. Only if
	 * there is none, or if the reservation before failed, too, it is the sequence that
	 * failed.
	 */
	private void failed(Operation.Reservation reservation, RuntimeException failure, Step step) {
		this.windows.endAll();
		this.waiters.refuseLacking(this.ranges.unissued(), (waiter) -> hasClientOf(reservation, waiter), failure, step);
		boolean othersTry = this.waiters.needsMoreThan(this.ranges.unissued()) && !this.demand.hasFailed();
		step.reservationEnded(reservation, null, othersTry ? null : failure, lasted(step));
		if (!othersTry) {
			this.outages.failed(null, failure, step);
		}
		this.demand.failed();
	}

	private static boolean hasClientOf(Operation failed, Waiter waiter) {
		RangeStore brought = waiter.storeOr(failed.store());
		return brought != null && brought.hasClientOf(failed.store());
	}

	private boolean isOperationInFlight() {
		return this.operation != null;
	}

	/**
	 * Starts the operation that is due, if none is in flight. After the engine is closed,
	 * refuses all waiters.
	 */
	void startNext(Step step) {
		if (isOperationInFlight() || isCovering(step)) {
			return;
		}
		if (step.mode() == RangeSequence.Mode.CLOSED) {
			this.waiters.refuse((waiter) -> true, ReservationFailure.closed(this.name), step);
		}
		this.operation = dueReturn(step);
		if (this.operation == null) {
			this.operation = dueReservation(step);
		}
		this.startedNanos = step.nanos();
		step.add(this.operation);
	}

	/**
	 * Returns the return that is due, if any. If nothing is to be held, whatever is left
	 * is returned, too.
	 */
	private Operation.@Nullable Return dueReturn(Step step) {
		RangeReturn unused = (!step.holdsRanges() || isReleasing()) ? this.ranges.sealAll(step) : null;
		if (unused == null) {
			endReleases(step);
		}
		return (unused != null) ? new Operation.Return(unused, step.store()) : null;
	}

	private void endReleases(Step step) {
		this.releases.forEach((release) -> step.completeRelease(release, this.releaseFailure));
		this.releases.clear();
		this.releaseFailure = null;
	}

	private Operation.@Nullable Reservation dueReservation(Step step) {
		boolean waiting = this.waiters.needsMoreThan(this.ranges.unissued());
		if (!step.hasStore() && this.waiters.firstLacking(this.ranges.unissued()) == null) {
			// Nobody who waits has brought a store, and no operation has had one.
			return null;
		}
		if (step.holdsRanges()) {
			return (waiting || isPrefetchDue(step)) ? reservationToHold(step) : null;
		}
		return waiting ? reservationForBatch(step) : null;
	}

	private boolean isPrefetchDue(Step step) {
		return !this.ranges.hasNext() && this.demand.isPrefetchDue(this.ranges.current(), step.nanos());
	}

	private Operation.Reservation reservationToHold(Step step) {
		long usualSize = this.demand.nextSize(this.ranges.current(), this.waiters.size(), step.nanos());
		return new Operation.Reservation(request(this.waiters.ofBlocks(), usualSize, this.demand.least(), step),
				usualSize, Operation.Reservation.ANYBODY, storeForNext(step));
	}

	private Operation.Reservation reservationForBatch(Step step) {
		WaitQueue.Batch batch = this.waiters.batch();
		Waiter block = batch.block();
		long enlarged = (block != null && needsAdjacent(block)) ? searchOf(block).size() : this.demand.least();
		return new Operation.Reservation(request(batch.needed(), 0, enlarged, step), 0, batch.lastArrival(),
				storeForNext(step));
	}

	/**
	 * Returns the store of the caller who has waited longest for numbers, or of whoever
	 * causes the step if nobody does. If the reservation fails, that caller is refused.
	 */
	private RangeStore storeForNext(Step step) {
		Waiter longest = this.waiters.firstLacking(this.ranges.unissued());
		return (longest != null) ? step.storeOf(longest) : step.store();
	}

	/**
	 * Creates a request. A command that is repeated asks for few numbers, because the
	 * first one may have used up as many as it asked for.
	 * @param needed how many numbers the waiters need
	 * @param usualSize how many the demand asks for, or 0
	 * @param enlarged how many make up for stored numbers, or 0; bounded by what the
	 * counter has left
	 */
	private RangeRequest request(long needed, long usualSize, long enlarged, Step step) {
		long highest = this.ranges.highestKnown();
		long floor = Math.max(this.settings.initialValue() - 1, highest);
		long size = Math.max(needed, usualSize);
		long repeated = Math.max(needed, Math.min(usualSize, this.settings.initialSize()));
		return new RangeRequest(Math.max(size, Math.min(enlarged, HiLoIdGenerator.MAX_NUMBER - floor)), repeated, floor,
				highest == 0, this.places, step.commandDeadline());
	}

	/**
	 * If no caller can get a number, requests the range or the find that failed last.
	 * Otherwise an application that gets no requests because of its health would stay
	 * unhealthy.
	 */
	void seekRecovery(Step step) {
		Outages.Outage latest = this.outages.latest();
		if (latest != null && !isAvailable() && step.holdsRanges() && step.hasStore()) {
			long before = this.waiters.lastArrival();
			ask(Waiter.forRange(latest.place()), step);
			this.recoveries += this.waiters.lastArrival() - before;
		}
	}

	private boolean isAvailable() {
		return this.outages.latest() == null || this.ranges.canIssue(this.settings.checked());
	}

	void forgiveFailure() {
		this.outages.forgive();
	}

	void forgetFailures() {
		this.outages.forget();
	}

	SequenceSnapshot snapshot(String document, Step step) {
		// Read once, because callers go on taking.
		RangeCursor current = this.ranges.current();
		long last = current.lastTaken();
		Outages.Outage latest = this.outages.latest();
		SequenceSnapshot.Failure failure = (latest != null) ? latest.latest() : null;
		// A sequence that holds nothing reserves only for a caller, so a failure counts
		// for a minute.
		boolean available = isAvailable()
				|| (failure != null && !step.holdsRanges() && step.time().isAfter(failure.time().plus(FAILURE_COUNTS)));
		return new SequenceSnapshot(document, this.format.nodeTag(), this.format.separator(), this.format.digits(),
				this.settings.consecutive() ? true : null, this.ranges.show(last), this.ranges.showNext(), available,
				step.holdsRanges() ? this.demand.nextSizeToShow(step.nanos()) : 1, this.ranges.issued(last),
				this.reserved, this.returned, this.reservations, failure);
	}

	/**
	 * A block that found no room.
	 */
	private record NoRoom(int count, Place place, long untilNanos, String why) {
	}

}
