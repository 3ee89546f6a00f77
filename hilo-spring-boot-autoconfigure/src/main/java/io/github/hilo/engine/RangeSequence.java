package io.github.hilo.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Quoted;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * One counter of one database: the range that this process holds, and the one request
 * that is under way for it.
 * <p>
 * How it is safe: the quick path reads {@link #current} alone, as {@link HeldRanges}
 * says. Everything else is guarded by {@link #lock}, which is never held across I/O,
 * while waiting or while a caller's own code runs. At most one {@link Operation} is in
 * flight, a reservation, a return or a lift, so the counter is never lowered under a
 * reservation of our own. An answer counts only while its operation is still the one in
 * flight: {@link #forget()} abandons it, and then its range is dropped unused, because a
 * copy of this process may have got the same answer.
 * <p>
 * Callers that find the range used up queue for the next one, each with its own timeout
 * and interruption. They are served in the order in which they came, before anybody else
 * can take a number of that range, and share its failure. Whenever something has ended,
 * {@link #startDue} says what comes next: a return that was asked for, then a lift, then
 * a reservation for those that queue, then one in advance; after a lift, those that queue
 * go before the next one. So callers can't put off a release for ever, nor lifts the
 * callers.
 */
final class RangeSequence extends HeldRanges implements HiLoSequence {

	private final String name;

	private final AtomicReference<GeneratorMode> mode;

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Set once, right after the sequence is known to the registry.
	 */
	private volatile SequenceListener listener = SequenceListener.NONE;

	private RangeStore store;

	private @Nullable Operation operation;

	/**
	 * Callers that found no number, in the order in which they came.
	 */
	private final Queue<PendingNumber> pending = new ArrayDeque<>();

	/**
	 * Lifts of the counter that are to come.
	 */
	private final Queue<Operation.Lift> lifts = new ArrayDeque<>();

	/**
	 * Whether the last operation was a lift: then callers have their turn.
	 */
	private boolean liftedLast;

	/**
	 * How often everything was forgotten.
	 */
	private volatile int resets;

	private @Nullable CompletableFuture<@Nullable Void> releasing;

	private long returned;

	RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<GeneratorMode> mode) {
		super(name, settings, time);
		this.name = name;
		this.store = store;
		this.mode = mode;
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
		Operation.Lift lift = new Operation.Lift(store, floor, requestTimeout());
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
			drop(requestTimeout());
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
			restartBlocks();
			drop(requestTimeout());
			startOver();
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
			health = health();
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
			return snapshot(this.store.document(this.name), this.returned);
		}
		finally {
			this.lock.unlock();
		}
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

	/**
	 * Starts what is due next, if nothing is in flight.
	 * @param resolved the database as the calling thread resolved it, if it did
	 */
	private void startDue(@Nullable RangeStore resolved, Effects effects) {
		if (this.operation != null) {
			return;
		}
		this.operation = dueReturn(effects);
		if (this.operation == null && (!this.liftedLast || this.pending.isEmpty())) {
			this.operation = dueLift(effects);
		}
		if (this.operation == null) {
			this.operation = dueReservation(resolved, effects);
		}
		if (this.operation == null) {
			// Those whose turn it was have left.
			this.operation = dueLift(effects);
		}
		this.liftedLast = this.operation instanceof Operation.Lift;
		effects.started = this.operation;
	}

	/**
	 * Prepares the return that is due. In a generator that is not running one is always
	 * due: it holds nothing.
	 */
	private Operation.@Nullable Return dueReturn(Effects effects) {
		if (this.releasing == null && this.mode.get() == GeneratorMode.RUNNING) {
			return null;
		}
		RangeReturn range = drop(requestTimeout());
		if (range == null) {
			released(effects);
			return null;
		}
		return new Operation.Return(this.store, range);
	}

	private Operation.@Nullable Lift dueLift(Effects effects) {
		if (this.mode.get() == GeneratorMode.CLOSED) {
			effects.refused.addAll(this.lifts);
			this.lifts.clear();
		}
		this.lifts.removeIf((lift) -> lift.answer.isDone());
		Operation.Lift lift = this.lifts.poll();
		if (lift != null) {
			this.store = lift.store;
		}
		return lift;
	}

	private Operation.@Nullable Reservation dueReservation(@Nullable RangeStore resolved, Effects effects) {
		if (this.mode.get() == GeneratorMode.CLOSED) {
			refuse(ReservationFailure.closed(this.name), effects);
		}
		this.pending.removeIf(PendingNumber::isSettled);
		PendingNumber first = this.pending.peek();
		if (first != null) {
			return newReservation((first.store() != null) ? first.store() : resolved);
		}
		return (this.mode.get() == GeneratorMode.RUNNING && isPrefetchDue()) ? newReservation(resolved) : null;
	}

	private void released(Effects effects) {
		if (this.releasing != null) {
			effects.released = this.releasing;
			this.releasing = null;
		}
	}

	private Operation.Reservation newReservation(@Nullable RangeStore resolved) {
		if (resolved != null) {
			this.store = resolved;
		}
		boolean running = this.mode.get() == GeneratorMode.RUNNING;
		long usualSize = running ? nextSize() : 1;
		long size = Math.max(usualSize, missing());
		RangeRequest request = new RangeRequest(size, floor(), highestKnown() == 0, issuedSinceReset(),
				!running && size == 1, requestTimeout());
		return new Operation.Reservation(this.store, request, usualSize);
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
	 * Shorter than a caller's patience, so that its waiters learn why it failed.
	 */
	private Duration requestTimeout() {
		return this.settings.timeout().multipliedBy(9).dividedBy(10);
	}

	private void send(@Nullable Operation operation) {
		if (operation instanceof Operation.Reservation reservation) {
			Consumer<@Nullable Throwable> ended = this.listener.reserving();
			answerOf(() -> reservation.store.reserve(this.name, reservation.request)).whenComplete((range, failure) -> {
				ended.accept((failure != null) ? ReservationFailure.of(this.name, reservation.store.database(), failure)
						: null);
				answered(reservation, range, failure);
			});
		}
		else if (operation instanceof Operation.Return unused) {
			answerOf(() -> unused.store.giveBack(this.name, unused.range))
				.whenComplete((done, failure) -> answered(unused, Boolean.TRUE.equals(done)));
		}
		else if (operation instanceof Operation.Lift lift) {
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

	private void answered(Operation.Reservation reservation, @Nullable ReservedRange range,
			@Nullable Throwable failure) {
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
				RuntimeException reason = ReservationFailure.of(this.name, reservation.store.database(), failure);
				refuse(reason, effects);
				failed(reason);
			}
			startDue(reservation.store, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
	}

	private void answered(Operation.Return unused, boolean done) {
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

	private void lifted(Operation.Lift lift, @Nullable Long max, @Nullable Throwable failure) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (max != null) {
				dropUpTo(lift.floor);
				restartBlocks();
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

	private void keep(ReservedRange range, long usualSize, Effects effects) {
		RangeCursor.Held held = reserved(range, (this.mode.get() == GeneratorMode.RUNNING) ? usualSize : 0);
		if (held != null && !keepForLater(held)) {
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
	 * Lets the blocks that queue start over: what they have so far may not be issued any
	 * more.
	 */
	private void restartBlocks() {
		for (PendingNumber place : this.pending) {
			if (place.block() != null) {
				place.block().restart();
			}
		}
	}

	/**
	 * What is to be done once the lock is released: callers' own code may run then.
	 */
	private final class Effects {

		final List<PendingNumber> served = new ArrayList<>();

		final List<Operation.Lift> refused = new ArrayList<>();

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

}
