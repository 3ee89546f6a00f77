package io.github.hilo;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * One counter of one database: the range that this process holds, and the one request
 * that is under way for it.
 * <p>
 * How it is safe: {@link #current} is the only thing that the quick path reads, and its
 * cursor alone decides who gets a number. Everything else is guarded by {@link #lock},
 * which is never held across I/O, while waiting or while a caller's own code runs. At
 * most one {@link Operation} is in flight, a reservation, a return or a lift, so the
 * counter is never lowered under a reservation of our own. An answer counts only while
 * its operation is still the one in flight: {@link #forget()} abandons it, and then its
 * range is dropped unused, because a copy of this process may have got the same answer.
 * <p>
 * A sequence is busy once it has used up a range within {@code hilo.range.grow-within},
 * until one lasts longer than {@code hilo.range.shrink-after}: sizes settle between the
 * two, and there too nobody should have to wait. Half-way through the range that follows,
 * the next one is requested in the background, and kept in {@link #next} until it is
 * needed. So the quick path has nothing to check for this, the range of a busy sequence
 * is cut in two segments at its half.
 * <p>
 * Callers that find the range used up queue for the next one, each with its own timeout
 * and interruption. They are served in the order in which they came, before anybody else
 * can take a number of that range, and share its failure. Whenever something has ended,
 * {@link #startDue} says what comes next: a return that was asked for, then a lift, then
 * a reservation for those that queue, then one in advance. So callers can't put off a
 * release for ever.
 */
final class RangeSequence implements HiLoSequence {

	/**
	 * How long after a first failure prefetching is tried again; each further one doubles
	 * it, up to 256 times as long.
	 */
	private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final String name;

	/**
	 * What precedes the number in a document id where there is no server prefix.
	 */
	private final String idHead;

	private final String idTail;

	private final HiLoSettings settings;

	private final long initialValue;

	private final TimeSource time;

	private final AtomicReference<GeneratorMode> mode;

	private final ReentrantLock lock = new ReentrantLock();

	private final RangeSizing sizing;

	/**
	 * Set once, right after the sequence is known to the registry.
	 */
	private volatile SequenceListener listener = SequenceListener.NONE;

	private volatile RangeCursor current = RangeCursor.empty();

	private RangeStore store;

	/**
	 * The range that follows the current one, if it was reserved already.
	 */
	private RangeCursor.@Nullable Held next;

	private boolean busy;

	private long currentSinceNanos;

	private int failures;

	private long retryPrefetchNanos;

	private @Nullable Operation operation;

	/**
	 * Callers that found no number, in the order in which they came.
	 */
	private final Queue<PendingNumber> pending = new ArrayDeque<>();

	/**
	 * Lifts of the counter that are to come.
	 */
	private final Queue<Lift> lifts = new ArrayDeque<>();

	/**
	 * What the counter was lifted to: no number up to it is issued any more.
	 */
	private long lifted;

	/**
	 * How often everything was forgotten.
	 */
	private volatile int resets;

	private @Nullable CompletableFuture<@Nullable Void> releasing;

	/**
	 * The highest number issued from ranges that are no longer current.
	 */
	private long lastIssued;

	private long issued;

	private long reserved;

	private long returned;

	private long reservations;

	private SequenceSnapshot.@Nullable Failure lastFailure;

	private boolean lastReservationFailed;

	RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<GeneratorMode> mode) {
		HiLoSettings.SequenceSettings own = settings.sequences().apply(name);
		this.name = name;
		this.store = store;
		this.settings = settings;
		this.idHead = name + settings.identityPartsSeparator();
		// One string for all sequences, of which there may be many.
		this.idTail = settings.nodeTag().isEmpty() ? "" : ("-" + settings.nodeTag()).intern();
		this.initialValue = own.initialValue();
		this.time = time;
		this.mode = mode;
		this.sizing = new RangeSizing(own.initialSize(), own.maxSize(), settings.growWithin(), settings.shrinkAfter(),
				settings.maxGrowth());
	}

	@Override
	public long next() {
		long number = this.current.take();
		return (number != RangeCursor.NONE) ? number : await(null).number();
	}

	@Override
	public String nextDocumentId() {
		RangeCursor cursor = this.current;
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? cursor.documentId(number) : await(null).documentId();
	}

	@Override
	public long[] nextIds(int count) {
		return awaitBlock(null, count).numbers();
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return awaitBlock(null, count).documentIds();
	}

	/**
	 * Returns this sequence for a caller that has resolved its database again.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @return a handle for one call
	 */
	HiLoSequence through(RangeStore store) {
		return new HiLoSequence() {

			@Override
			public long next() {
				long number = RangeSequence.this.current.take();
				return (number != RangeCursor.NONE) ? number : await(store).number();
			}

			@Override
			public String nextDocumentId() {
				RangeCursor cursor = RangeSequence.this.current;
				long number = cursor.take();
				return (number != RangeCursor.NONE) ? cursor.documentId(number) : await(store).documentId();
			}

			@Override
			public long[] nextIds(int count) {
				return awaitBlock(store, count).numbers();
			}

			@Override
			public List<String> nextDocumentIds(int count) {
				return awaitBlock(store, count).documentIds();
			}

		};
	}

	/**
	 * Takes a number if that needs no lock.
	 * @return the number, or {@code null} if the caller has to queue
	 */
	@Nullable Issued takeAtOnce() {
		RangeCursor cursor = this.current;
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? new Issued(number, cursor) : null;
	}

	/**
	 * Takes a number as soon as there is one, without blocking.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 * @return the place in the queue, which has ended already where there is a number
	 */
	PendingNumber take(@Nullable RangeStore store) {
		return enqueue(new PendingNumber(store, true));
	}

	/**
	 * Makes sure that a range with a number in it is held, without taking one.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @return what ends with the reservation, or with its failure
	 */
	CompletionStage<@Nullable Issued> warmUp(RangeStore store) {
		return enqueue(new PendingNumber(store, false)).answer();
	}

	/**
	 * Takes a block of numbers as soon as there are enough, without blocking.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 * @param block takes the numbers
	 * @return the place in the queue
	 */
	PendingNumber take(@Nullable RangeStore store, NumberBlock block) {
		return enqueue(new PendingNumber(store, block));
	}

	/**
	 * Lifts the counter, and issues no number up to the floor any more once it is there.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @param floor what the counter has to reach
	 * @return what ends with the counter's value, or with a failure
	 */
	CompletionStage<Long> lift(RangeStore store, long floor) {
		Lift lift = new Lift(store, floor, requestTimeout());
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (this.mode.get() == GeneratorMode.CLOSED) {
				throw ReservationFailure.closed(this.name);
			}
			this.lifts.add(lift);
			startDue(store, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		return lift.answer;
	}

	/**
	 * Gives what is unissued back, as soon as those that queue for a reservation in
	 * flight have their numbers.
	 * @return what ends when nothing is held any more
	 */
	CompletableFuture<@Nullable Void> release() {
		CompletableFuture<@Nullable Void> ended;
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (this.releasing == null) {
				this.releasing = new CompletableFuture<>();
			}
			ended = this.releasing;
			startDue(null, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		return ended;
	}

	/**
	 * Drops what is held, without giving it back: the release took too long.
	 */
	void abandon() {
		this.lock.lock();
		try {
			drop();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Drops what is held, and whatever is in flight, without giving it back: after a
	 * pause this process may be one of several copies, all of which remember the same.
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
	void forget() {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			this.operation = null;
			this.resets++;
			for (PendingNumber place : this.pending) {
				if (place.block() != null) {
					place.block().restart();
				}
			}
			drop();
			released(effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
	}

	/**
	 * Starts what is due after everything was forgotten.
	 */
	void proceed() {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			startDue(null, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
	}

	void listener(SequenceListener listener) {
		this.listener = listener;
	}

	/**
	 * Tells whether ids can be issued. Where they can't, a range is asked for again, in
	 * the background: otherwise an application that gets no requests because of its
	 * health would never find out that it can serve them again.
	 */
	SequenceHealth checkHealth() {
		SequenceHealth health;
		RangeStore store;
		this.lock.lock();
		try {
			RangeCursor cursor = this.current;
			long remaining = cursor.range().max() - cursor.lastTaken()
					+ ((this.next != null) ? this.next.range().size() : 0);
			health = new SequenceHealth(remaining,
					(this.lastReservationFailed && remaining == 0) ? this.lastFailure : null);
			store = this.store;
		}
		finally {
			this.lock.unlock();
		}
		if (health.outage() != null && this.mode.get() == GeneratorMode.RUNNING) {
			CompletionStage<@Nullable Issued> unused = warmUp(store);
		}
		return health;
	}

	SequenceSnapshot snapshot() {
		this.lock.lock();
		try {
			RangeCursor cursor = this.current;
			long last = cursor.lastTaken();
			long taken = last - cursor.range().min() + 1;
			return new SequenceSnapshot(this.store.document(this.name),
					snapshot(cursor.range(), cursor.reservedAt(), last),
					(this.next != null)
							? snapshot(this.next.range(), this.next.reservedAt(), this.next.range().min() - 1) : null,
					this.sizing.nextSize(this.time.nanoTime() - this.currentSinceNanos), this.issued + taken,
					this.reserved, this.returned, this.reservations, this.lastFailure);
		}
		finally {
			this.lock.unlock();
		}
	}

	private static SequenceSnapshot.@Nullable Range snapshot(ReservedRange range, Instant reservedAt, long last) {
		return (range.size() == 0) ? null
				: new SequenceSnapshot.Range(range.min(), range.max(), (last < range.min()) ? null : last,
						range.max() - last, reservedAt, range.serverPrefix().isEmpty() ? null : range.serverPrefix());
	}

	private Issued await(@Nullable RangeStore store) {
		long deadlineNanos = deadlineNanos();
		while (true) {
			PendingNumber place = take(store);
			Issued issued = await(place, deadlineNanos);
			if (issued != null && isStillValid(place)) {
				return issued;
			}
		}
	}

	private NumberBlock awaitBlock(@Nullable RangeStore store, int count) {
		if (count < 1 || count > HiLoSequence.MAX_COUNT) {
			throw new IllegalArgumentException("A block of " + count + " numbers was asked for, of sequence "
					+ Quoted.name(this.name) + ". Ask for at least 1 and at most " + HiLoSequence.MAX_COUNT + ".");
		}
		long deadlineNanos = deadlineNanos();
		while (true) {
			NumberBlock block = new NumberBlock(count);
			PendingNumber place = take(store, block);
			await(place, deadlineNanos);
			if (isStillValid(place)) {
				return block;
			}
		}
	}

	private @Nullable Issued await(PendingNumber place, long deadlineNanos) {
		try {
			return place.await(deadlineNanos - this.time.nanoTime());
		}
		catch (TimeoutException ex) {
			leave(place);
			throw unavailable("no answer from MongoDB within " + this.settings.timeout(), ex);
		}
		catch (InterruptedException ex) {
			leave(place);
			Thread.currentThread().interrupt();
			throw unavailable("interrupted while waiting for it", ex);
		}
	}

	private long deadlineNanos() {
		return this.time.nanoTime() + this.settings.timeout().toNanos();
	}

	/**
	 * What was set aside before a reset is not used after it.
	 */
	boolean isStillValid(PendingNumber place) {
		return place.resets() == this.resets;
	}

	/**
	 * Takes a caller that has given up out of the queue.
	 */
	void leave(PendingNumber place) {
		this.lock.lock();
		try {
			this.pending.remove(place);
		}
		finally {
			this.lock.unlock();
		}
		waited(place);
	}

	private void waited(PendingNumber place) {
		if (place.isTaking() && place.isWaiting()) {
			this.listener.waited(Duration.ofNanos(this.time.nanoTime() - place.waitingSinceNanos()));
		}
	}

	HiLoUnavailableException unavailable(String why, Exception cause) {
		return ReservationFailure.unavailable(this.name, this.store.database(), why, cause);
	}

	/**
	 * Serves a caller at once, or else lets it queue for what has to end first.
	 */
	private PendingNumber enqueue(PendingNumber place) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (this.mode.get() == GeneratorMode.CLOSED) {
				throw ReservationFailure.closed(this.name);
			}
			NumberBlock block = place.block();
			Issued number = (place.isTaking() && block == null) ? take() : null;
			boolean served = (block != null) ? fill(block) : place.isTaking() ? number != null : hasNumber();
			if (served && place.settle()) {
				effects.served.add(place.outcome(number, null, this.resets));
			}
			else {
				place.waitSince(this.time.nanoTime());
				this.pending.add(place);
			}
			startDue(place.store(), effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		return place;
	}

	private boolean hasNumber() {
		return this.next != null || this.current.lastTaken() < this.current.range().max();
	}

	private @Nullable Issued take() {
		do {
			RangeCursor cursor = this.current;
			long number = cursor.take();
			if (number != RangeCursor.NONE) {
				return new Issued(number, cursor);
			}
		}
		while (moveOn());
		return null;
	}

	/**
	 * Moves on from a segment that is used up.
	 * @return whether there was another one
	 */
	private boolean moveOn() {
		RangeCursor following = following();
		if (following != null) {
			this.current = following;
		}
		return following != null;
	}

	/**
	 * Makes the cursor for what follows a segment that is used up: the rest of its range,
	 * or the next range.
	 * @return the cursor, which nobody else has yet, or {@code null} if nothing follows
	 */
	private @Nullable RangeCursor following() {
		RangeCursor cursor = this.current;
		if (cursor.end() < cursor.range().max()) {
			return rest(cursor);
		}
		RangeCursor.Held held = this.next;
		this.next = null;
		return (held != null) ? succeed(held) : null;
	}

	/**
	 * Takes what is held for a block.
	 * @return whether it was enough
	 */
	private boolean fill(NumberBlock block) {
		block.takeFrom(this.current);
		while (!block.isFull()) {
			RangeCursor following = following();
			if (following == null) {
				return false;
			}
			// Published last: others could take what the block needs to be in one piece.
			block.takeFrom(following);
			this.current = following;
		}
		return true;
	}

	private RangeCursor rest(RangeCursor cursor) {
		long left = cursor.range().max() - cursor.end();
		// While prefetching fails, pieces: each end is an occasion to try again.
		return cursor.rest(cursor.end() + 1, (this.failures > 0) ? (left + 1) / 2 : left);
	}

	/**
	 * Whether the next range should be requested now, in the background.
	 */
	private boolean isPrefetchDue() {
		RangeCursor cursor = this.current;
		long nowNanos = this.time.nanoTime();
		return this.busy && this.next == null && this.mode.get() == GeneratorMode.RUNNING
				&& cursor.lastTaken() - cursor.range().min() + 1 >= halfOf(cursor.range().size())
				&& nowNanos - this.currentSinceNanos <= this.settings.shrinkAfter().toNanos()
				&& (this.failures == 0 || nowNanos - this.retryPrefetchNanos >= 0);
	}

	private static long halfOf(long size) {
		return size - size / 2;
	}

	/**
	 * Starts what is due next, if nothing is in flight.
	 * @param resolved the database as the calling thread resolved it, if it did
	 */
	private void startDue(@Nullable RangeStore resolved, Effects effects) {
		if (this.operation != null) {
			return;
		}
		this.operation = dueReturn(effects);
		if (this.operation == null) {
			this.operation = dueLift(effects);
		}
		if (this.operation == null) {
			this.operation = dueReservation(resolved, effects);
		}
		effects.started = this.operation;
	}

	/**
	 * Prepares the return that is due. In a generator that is not running one is always
	 * due: it holds nothing.
	 */
	private @Nullable Return dueReturn(Effects effects) {
		if (this.releasing == null && this.mode.get() == GeneratorMode.RUNNING) {
			return null;
		}
		RangeReturn range = drop();
		if (range == null) {
			released(effects);
			return null;
		}
		return new Return(this.store, range);
	}

	private @Nullable Lift dueLift(Effects effects) {
		if (this.mode.get() == GeneratorMode.CLOSED) {
			effects.refused.addAll(this.lifts);
			this.lifts.clear();
		}
		Lift lift = this.lifts.poll();
		if (lift != null) {
			this.store = lift.store;
		}
		return lift;
	}

	private @Nullable Reservation dueReservation(@Nullable RangeStore resolved, Effects effects) {
		if (this.mode.get() == GeneratorMode.CLOSED) {
			refuse(ReservationFailure.closed(this.name), effects);
		}
		this.pending.removeIf(PendingNumber::isSettled);
		PendingNumber first = this.pending.peek();
		if (first != null) {
			return newReservation((first.store() != null) ? first.store() : resolved);
		}
		return isPrefetchDue() ? newReservation(resolved) : null;
	}

	private void released(Effects effects) {
		if (this.releasing != null) {
			effects.released = this.releasing;
			this.releasing = null;
		}
	}

	private Reservation newReservation(@Nullable RangeStore resolved) {
		if (resolved != null) {
			this.store = resolved;
		}
		boolean running = this.mode.get() == GeneratorMode.RUNNING;
		long usualSize = running ? this.sizing.nextSize(lastedNanos()) : 1;
		long known = Math.max(Math.max(this.lastIssued, this.lifted),
				(this.next != null) ? this.next.range().max() : this.current.range().max());
		RangeRequest request = new RangeRequest(Math.max(usualSize, missing()), Math.max(this.initialValue - 1, known),
				known == 0, requestTimeout());
		return new Reservation(this.store, request, usualSize);
	}

	/**
	 * How many numbers the blocks that queue need.
	 */
	private long missing() {
		long missing = 0;
		for (PendingNumber place : this.pending) {
			NumberBlock block = place.block();
			missing += (block != null) ? block.missing() : 0;
		}
		return missing;
	}

	/**
	 * How long the current range has lasted, or will have when the rest of it is used up
	 * at the same pace.
	 */
	private long lastedNanos() {
		ReservedRange range = this.current.range();
		long taken = this.current.lastTaken() - range.min() + 1;
		double rangesTaken = (taken > 0) ? (double) taken / range.size() : 1;
		return (long) ((this.time.nanoTime() - this.currentSinceNanos) / rangesTaken);
	}

	/**
	 * Shorter than a caller's patience, so that its waiters learn why it failed.
	 */
	private Duration requestTimeout() {
		return this.settings.timeout().multipliedBy(9).dividedBy(10);
	}

	private void send(@Nullable Operation operation) {
		if (operation instanceof Reservation reservation) {
			Consumer<@Nullable Throwable> ended = this.listener.reserving();
			answerOf(() -> reservation.store.reserve(this.name, reservation.request)).whenComplete((range, failure) -> {
				ended.accept((failure != null) ? ReservationFailure.of(this.name, reservation.store.database(), failure)
						: null);
				answered(reservation, range, failure);
			});
		}
		else if (operation instanceof Return unused) {
			answerOf(() -> unused.store.giveBack(this.name, unused.range))
				.whenComplete((done, failure) -> answered(unused, Boolean.TRUE.equals(done)));
		}
		else if (operation instanceof Lift lift) {
			answerOf(() -> lift.store.lift(this.name, lift.floor, lift.timeout))
				.whenComplete((max, failure) -> lifted(lift, max, failure));
		}
	}

	private static <T> CompletionStage<T> answerOf(Supplier<CompletionStage<T>> request) {
		try {
			return Objects.requireNonNull(request.get(), "The store answered null");
		}
		// An error too, such as that no thread could be created, must end the operation.
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void answered(Reservation reservation, @Nullable ReservedRange range, @Nullable Throwable failure) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (this.operation != reservation) {
				return;
			}
			this.operation = null;
			if (range != null) {
				keep(range, reservation.usualSize, effects);
			}
			else {
				failed(ReservationFailure.of(this.name, reservation.store.database(), failure), effects);
			}
			startDue(reservation.store, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
	}

	private void answered(Return unused, boolean done) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (this.operation != unused) {
				return;
			}
			this.operation = null;
			if (done) {
				this.returned += unused.range.count();
			}
			released(effects);
			startDue(null, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
	}

	private void lifted(Lift lift, @Nullable Long max, @Nullable Throwable failure) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (max != null) {
				dropUpTo(lift.floor);
			}
			if (this.operation == lift) {
				this.operation = null;
				startDue(lift.store, effects);
			}
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		if (max != null) {
			lift.answer.complete(max);
		}
		else {
			lift.answer.completeExceptionally(
					ReservationFailure.ofLift(this.name, lift.store.database(), lift.floor, failure));
		}
	}

	/**
	 * Drops the ranges that hold a number up to the floor. They can't go back: the
	 * counter has another grant now.
	 */
	private void dropUpTo(long floor) {
		this.lifted = Math.max(this.lifted, floor);
		if (this.next != null && this.next.range().min() <= floor) {
			this.next = null;
		}
		RangeCursor cursor = this.current;
		if (cursor.lastTaken() < Math.min(floor, cursor.range().max())) {
			seal();
		}
		for (PendingNumber place : this.pending) {
			if (place.block() != null) {
				place.block().restart();
			}
		}
	}

	private void keep(ReservedRange range, long usualSize, Effects effects) {
		this.reservations++;
		this.reserved += range.size();
		this.failures = 0;
		this.lastReservationFailed = false;
		if (this.mode.get() == GeneratorMode.RUNNING) {
			this.sizing.reserved(usualSize);
		}
		// A lift that was forgotten was carried out meanwhile.
		if (range.min() <= this.lifted) {
			return;
		}
		String prefix = range.serverPrefix();
		RangeCursor.Held held = new RangeCursor.Held(range, this.time.now(),
				prefix.isEmpty() ? this.idHead : this.idHead + prefix, this.idTail);
		if (this.current.lastTaken() < this.current.range().max()) {
			this.next = held;
		}
		else {
			// Published last: others could take what those that queue were here for
			// first.
			this.current = serve(succeed(held), effects);
		}
	}

	/**
	 * Serves those that queue, as far as the range goes.
	 * @return the cursor for everybody else
	 */
	private RangeCursor serve(RangeCursor first, Effects effects) {
		RangeCursor cursor = first;
		while (!this.pending.isEmpty() && cursor.lastTaken() < cursor.range().max()) {
			if (cursor.lastTaken() == cursor.end()) {
				cursor = rest(cursor);
			}
			else if (handOut(this.pending.element(), cursor, effects)) {
				this.pending.remove();
			}
		}
		return cursor;
	}

	/**
	 * Serves one of those that queue.
	 * @return whether it has all that it needs, or has left
	 */
	private boolean handOut(PendingNumber place, RangeCursor cursor, Effects effects) {
		NumberBlock block = place.block();
		boolean enough = block == null || block.missing() <= cursor.end() - cursor.lastTaken();
		if (place.isSettled() || (enough && !place.settle())) {
			return true;
		}
		Issued number = null;
		if (block != null) {
			block.takeFrom(cursor);
		}
		else if (place.isTaking()) {
			number = new Issued(cursor.take(), cursor);
		}
		if (enough) {
			effects.served.add(place.outcome(number, null, this.resets));
		}
		return enough;
	}

	private void refuse(RuntimeException failure, Effects effects) {
		for (PendingNumber place = this.pending.poll(); place != null; place = this.pending.poll()) {
			if (place.settle()) {
				effects.served.add(place.outcome(null, failure, this.resets));
			}
		}
	}

	/**
	 * Ends the current range, which is used up.
	 * @param held the range that follows
	 * @return the cursor of its first segment
	 */
	private RangeCursor succeed(RangeCursor.Held held) {
		long nowNanos = this.time.nanoTime();
		this.busy = this.settings.prefetch() && this.current.range().size() > 0
				&& isBusyAfter(nowNanos - this.currentSinceNanos);
		this.currentSinceNanos = nowNanos;
		seal();
		long size = held.range().size();
		// The take that uses up the half finds the segment used up, and looks further.
		return RangeCursor.first(held, this.busy ? halfOf(size) - 1 : size);
	}

	private boolean isBusyAfter(long lastedNanos) {
		return this.busy ? lastedNanos <= this.settings.shrinkAfter().toNanos()
				: lastedNanos < this.settings.growWithin().toNanos();
	}

	private void failed(RuntimeException failure, Effects effects) {
		this.lastFailure = new SequenceSnapshot.Failure(this.time.now(), String.valueOf(failure.getMessage()));
		this.lastReservationFailed = true;
		refuse(failure, effects);
		this.sizing.reset();
		this.retryPrefetchNanos = this.time.nanoTime() + (SHORTEST_PAUSE_NANOS << Math.min(this.failures, 8));
		this.failures++;
		RangeCursor cursor = this.current;
		if (cursor.lastTaken() < cursor.range().max()) {
			// The next take looks whether it is time to try again.
			this.current = cursor.rest(cursor.seal() + 1, 0);
		}
	}

	/**
	 * Seals what is held and holds nothing.
	 * @return what can go back: the unissued numbers that end at the latest grant
	 */
	private @Nullable RangeReturn drop() {
		ReservedRange top = this.current.range();
		long last = seal();
		if (this.next != null) {
			ReservedRange range = this.next.range();
			// Below a range that was not granted directly on top, numbers are others'.
			last = range.isDirectlyOnTopOf(top) ? last : range.min() - 1;
			top = range;
			this.next = null;
		}
		this.busy = false;
		this.failures = 0;
		this.sizing.reset();
		return (last < top.max()) ? new RangeReturn(last, top.max(), top.grant(), requestTimeout()) : null;
	}

	/**
	 * Ends the current range.
	 * @return the last number issued from it, or the one before it if none was
	 */
	private long seal() {
		RangeCursor cursor = this.current;
		long last = cursor.seal();
		this.current = RangeCursor.empty();
		if (last >= cursor.range().min()) {
			this.lastIssued = last;
			this.issued += last - cursor.range().min() + 1;
		}
		return last;
	}

	/**
	 * What is to be done once the lock is released: callers' own code may run then.
	 */
	private final class Effects {

		final List<PendingNumber> served = new ArrayList<>();

		final List<Lift> refused = new ArrayList<>();

		@Nullable Operation started;

		@Nullable CompletableFuture<@Nullable Void> released;

		void run() {
			try {
				send(this.started);
			}
			finally {
				this.served.forEach((place) -> {
					waited(place);
					place.complete();
				});
				this.refused.forEach((lift) -> lift.answer
					.completeExceptionally(ReservationFailure.closed(RangeSequence.this.name)));
				if (this.released != null) {
					this.released.complete(null);
				}
			}
		}

	}

	/**
	 * What is in flight.
	 */
	private abstract static class Operation {

		final RangeStore store;

		Operation(RangeStore store) {
			this.store = store;
		}

	}

	private static final class Reservation extends Operation {

		final RangeRequest request;

		/**
		 * How many numbers it would ask for if no block was waiting.
		 */
		final long usualSize;

		Reservation(RangeStore store, RangeRequest request, long usualSize) {
			super(store);
			this.request = request;
			this.usualSize = usualSize;
		}

	}

	private static final class Return extends Operation {

		final RangeReturn range;

		Return(RangeStore store, RangeReturn range) {
			super(store);
			this.range = range;
		}

	}

	private static final class Lift extends Operation {

		final long floor;

		final Duration timeout;

		final CompletableFuture<Long> answer = new CompletableFuture<>();

		Lift(RangeStore store, long floor, Duration timeout) {
			super(store);
			this.floor = floor;
			this.timeout = timeout;
		}

	}

}
