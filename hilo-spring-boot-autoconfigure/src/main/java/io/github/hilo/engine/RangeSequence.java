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
import io.github.hilo.store.Names;
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
 * flight, a reservation, a return or a raise, so the counter is never lowered under a
 * reservation of our own. An answer counts only while its operation is still the one in
 * flight: {@link #reset()} discards it, and its range, unused, because a copy of this
 * process may have got the same answer.
 * <p>
 * Callers that find the range used up queue for the next one, each with its own timeout
 * and interruption. They are served in the order in which they came, before anybody else
 * can take a number of that range, and share its failure. Whenever something has ended,
 * {@link #startNext} says what comes next: a return that was asked for, then a raise,
 * then a reservation for those that queue, then one in advance; after a raise, those that
 * queue go before the next one. So callers can't put off a release for ever, nor raises
 * the callers.
 */
final class RangeSequence extends HeldRanges implements HiLoSequence {

	private final String name;

	private final AtomicReference<EngineMode> mode;

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
	private final Queue<Waiter> waiters = new ArrayDeque<>();

	/**
	 * Raises of the counter that are to come.
	 */
	private final Queue<Operation.Raise> raises = new ArrayDeque<>();

	/**
	 * Whether the last operation was a raise: then callers have their turn.
	 */
	private boolean lastWasRaise;

	/**
	 * How often everything was forgotten.
	 */
	private volatile int resets;

	private @Nullable CompletableFuture<@Nullable Void> releasing;

	private long returned;

	RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<EngineMode> mode) {
		super(name, settings, time);
		this.name = name;
		this.store = store;
		this.mode = mode;
	}

	@Override
	public long nextId() {
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
			public long nextId() {
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
	@Nullable IssuedNumber tryTake() {
		RangeCursor cursor = this.current;
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? new IssuedNumber(number, cursor) : null;
	}

	/**
	 * Takes a number as soon as there is one, without blocking.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 * @return the place in the queue, which has ended already where there is a number
	 */
	Waiter take(@Nullable RangeStore store) {
		return enqueue(new Waiter(store, true));
	}

	/**
	 * Makes sure that a range with a number in it is held, without taking one.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @return what ends with the reservation, or with its failure
	 */
	CompletionStage<@Nullable IssuedNumber> warmUp(RangeStore store) {
		return enqueue(new Waiter(store, false)).answer();
	}

	/**
	 * Takes a block of numbers as soon as there are enough, without blocking.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 * @param block takes the numbers
	 * @return the place in the queue
	 */
	Waiter take(@Nullable RangeStore store, NumberBlock block) {
		return enqueue(new Waiter(store, block));
	}

	/**
	 * Raises the counter, and issues no number up to the floor any more once it is there.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @param floor what the counter has to reach
	 * @return what ends with the counter's value, or with a failure
	 */
	CompletionStage<Long> raise(RangeStore store, long floor) {
		Operation.Raise raise = new Operation.Raise(store, floor, requestTimeout());
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (this.mode.get() == EngineMode.CLOSED) {
				throw ReservationFailure.closed(this.name);
			}
			this.raises.add(raise);
			startNext(store, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		return raise.answer;
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
			startNext(null, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		return ended;
	}

	/**
	 * Discards what is held, without returning it: the release took too long.
	 */
	void discard() {
		this.lock.lock();
		try {
			sealAll(requestTimeout());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Discards what is held, and whatever is in flight, without returning it: after a
	 * pause this process may be one of several copies, all of which remember the same.
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
	void reset() {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			this.operation = null;
			this.resets++;
			restartBlocks();
			sealAll(requestTimeout());
			resetIssued();
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
			startNext(null, effects);
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
		if (health.outage() != null && this.mode.get() == EngineMode.RUNNING) {
			CompletionStage<@Nullable IssuedNumber> unused = warmUp(store);
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

	private IssuedNumber await(@Nullable RangeStore store) {
		long deadlineNanos = deadlineNanos();
		while (true) {
			Waiter waiter = take(store);
			IssuedNumber issued = await(waiter, deadlineNanos);
			if (issued != null && isStillValid(waiter)) {
				return issued;
			}
		}
	}

	private NumberBlock awaitBlock(@Nullable RangeStore store, int count) {
		if (count < 1 || count > HiLoSequence.MAX_COUNT) {
			throw new IllegalArgumentException("A block of " + count + " numbers was asked for, of sequence "
					+ Names.quoted(this.name) + ". Ask for at least 1 and at most " + HiLoSequence.MAX_COUNT + ".");
		}
		long deadlineNanos = deadlineNanos();
		while (true) {
			NumberBlock block = new NumberBlock(count);
			Waiter waiter = take(store, block);
			await(waiter, deadlineNanos);
			if (isStillValid(waiter)) {
				return block;
			}
		}
	}

	private @Nullable IssuedNumber await(Waiter waiter, long deadlineNanos) {
		try {
			return waiter.await(deadlineNanos - this.time.nanoTime());
		}
		catch (TimeoutException ex) {
			leave(waiter);
			throw unavailable("no answer from MongoDB within " + this.settings.timeout(), ex);
		}
		catch (InterruptedException ex) {
			leave(waiter);
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
	boolean isStillValid(Waiter waiter) {
		return waiter.resets() == this.resets;
	}

	/**
	 * Takes a caller that has given up out of the queue.
	 */
	void leave(Waiter waiter) {
		this.lock.lock();
		try {
			this.waiters.remove(waiter);
		}
		finally {
			this.lock.unlock();
		}
		waited(waiter);
	}

	private void waited(Waiter waiter) {
		if (waiter.isTaking() && waiter.isWaiting()) {
			this.listener.waited(Duration.ofNanos(this.time.nanoTime() - waiter.waitingSinceNanos()));
		}
	}

	HiLoUnavailableException unavailable(String why, Exception cause) {
		return ReservationFailure.unavailable(this.name, this.store.database(), why, cause);
	}

	/**
	 * Serves a caller at once, or else lets it queue for what has to end first.
	 */
	private Waiter enqueue(Waiter waiter) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (this.mode.get() == EngineMode.CLOSED) {
				throw ReservationFailure.closed(this.name);
			}
			NumberBlock block = waiter.block();
			IssuedNumber number = (waiter.isTaking() && block == null) ? take() : null;
			boolean served = (block != null) ? fill(block) : waiter.isTaking() ? number != null : hasNumber();
			if (served && waiter.settle()) {
				effects.served.add(waiter.outcome(number, null, this.resets));
			}
			else {
				waiter.waitSince(this.time.nanoTime());
				this.waiters.add(waiter);
			}
			startNext(waiter.store(), effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		return waiter;
	}

	/**
	 * Starts what is due next, if nothing is in flight.
	 * @param resolved the database as the calling thread resolved it, if it did
	 */
	private void startNext(@Nullable RangeStore resolved, Effects effects) {
		if (this.operation != null) {
			return;
		}
		this.operation = prepareReturn(effects);
		if (this.operation == null && (!this.lastWasRaise || this.waiters.isEmpty())) {
			this.operation = prepareRaise(effects);
		}
		if (this.operation == null) {
			this.operation = prepareReservation(resolved, effects);
		}
		if (this.operation == null) {
			// Those whose turn it was have left.
			this.operation = prepareRaise(effects);
		}
		this.lastWasRaise = this.operation instanceof Operation.Raise;
		effects.started = this.operation;
	}

	/**
	 * Prepares the return that is due. In a generator that is not running one is always
	 * due: it holds nothing.
	 */
	private Operation.@Nullable Return prepareReturn(Effects effects) {
		if (this.releasing == null && this.mode.get() == EngineMode.RUNNING) {
			return null;
		}
		RangeReturn range = sealAll(requestTimeout());
		if (range == null) {
			released(effects);
			return null;
		}
		return new Operation.Return(this.store, range);
	}

	private Operation.@Nullable Raise prepareRaise(Effects effects) {
		if (this.mode.get() == EngineMode.CLOSED) {
			effects.refused.addAll(this.raises);
			this.raises.clear();
		}
		this.raises.removeIf((raise) -> raise.answer.isDone());
		Operation.Raise raise = this.raises.poll();
		if (raise != null) {
			this.store = raise.store;
		}
		return raise;
	}

	private Operation.@Nullable Reservation prepareReservation(@Nullable RangeStore resolved, Effects effects) {
		if (this.mode.get() == EngineMode.CLOSED) {
			refuse(ReservationFailure.closed(this.name), effects);
		}
		this.waiters.removeIf(Waiter::isSettled);
		Waiter first = this.waiters.peek();
		if (first != null) {
			return newReservation((first.store() != null) ? first.store() : resolved);
		}
		return (this.mode.get() == EngineMode.RUNNING && isPrefetchDue()) ? newReservation(resolved) : null;
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
		boolean running = this.mode.get() == EngineMode.RUNNING;
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
		for (Waiter waiter : this.waiters) {
			NumberBlock block = waiter.block();
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
			answerOf(() -> unused.store.returnUnused(this.name, unused.range))
				.whenComplete((done, failure) -> answered(unused, Boolean.TRUE.equals(done)));
		}
		else if (operation instanceof Operation.Raise raise) {
			answerOf(() -> raise.store.raise(this.name, raise.floor, raise.timeout))
				.whenComplete((max, failure) -> raised(raise, max, failure));
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
			startNext(reservation.store, effects);
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
			startNext(null, effects);
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
	}

	private void raised(Operation.Raise raise, @Nullable Long max, @Nullable Throwable failure) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			if (max != null) {
				discardUpTo(raise.floor);
				restartBlocks();
			}
			if (this.operation == raise) {
				this.operation = null;
				startNext(raise.store, effects);
			}
		}
		finally {
			this.lock.unlock();
		}
		effects.run();
		if (max != null) {
			raise.answer.complete(max);
		}
		else {
			raise.answer.completeExceptionally(
					ReservationFailure.ofRaise(this.name, raise.store.database(), raise.floor, failure));
		}
	}

	private void keep(ReservedRange range, long usualSize, Effects effects) {
		RangeCursor.Held held = reserved(range, (this.mode.get() == EngineMode.RUNNING) ? usualSize : 0);
		if (held != null && !keepForLater(held)) {
			// Published last: others could take what those that queue were here for
			// first.
			this.current = serve(startRange(held), effects);
		}
	}

	/**
	 * Serves those that queue, as far as the range goes.
	 * @return the cursor for everybody else
	 */
	private RangeCursor serve(RangeCursor first, Effects effects) {
		RangeCursor cursor = first;
		while (!this.waiters.isEmpty() && cursor.lastTaken() < cursor.range().max()) {
			if (cursor.lastTaken() == cursor.end()) {
				cursor = rest(cursor);
			}
			else if (serveOne(this.waiters.element(), cursor, effects)) {
				this.waiters.remove();
			}
		}
		return cursor;
	}

	/**
	 * Serves one of those that queue.
	 * @return whether it has all that it needs, or has left
	 */
	private boolean serveOne(Waiter waiter, RangeCursor cursor, Effects effects) {
		NumberBlock block = waiter.block();
		boolean enough = block == null || block.missing() <= cursor.end() - cursor.lastTaken();
		if (waiter.isSettled() || (enough && !waiter.settle())) {
			return true;
		}
		IssuedNumber number = null;
		if (block != null) {
			block.takeFrom(cursor);
		}
		else if (waiter.isTaking()) {
			number = new IssuedNumber(cursor.take(), cursor);
		}
		if (enough) {
			effects.served.add(waiter.outcome(number, null, this.resets));
		}
		return enough;
	}

	private void refuse(RuntimeException failure, Effects effects) {
		for (Waiter waiter = this.waiters.poll(); waiter != null; waiter = this.waiters.poll()) {
			if (waiter.settle()) {
				effects.served.add(waiter.outcome(null, failure, this.resets));
			}
		}
	}

	/**
	 * Lets the blocks that queue start over: what they have so far may not be issued any
	 * more.
	 */
	private void restartBlocks() {
		for (Waiter waiter : this.waiters) {
			if (waiter.block() != null) {
				waiter.block().restart();
			}
		}
	}

	/**
	 * What is to be done once the lock is released: callers' own code may run then.
	 */
	private final class Effects {

		final List<Waiter> served = new ArrayList<>();

		final List<Operation.Raise> refused = new ArrayList<>();

		@Nullable Operation started;

		@Nullable CompletableFuture<@Nullable Void> released;

		void run() {
			try {
				send(this.started);
			}
			finally {
				this.served.forEach((waiter) -> {
					waited(waiter);
					waiter.complete();
				});
				this.refused.forEach((raise) -> raise.answer
					.completeExceptionally(ReservationFailure.closed(RangeSequence.this.name)));
				if (this.released != null) {
					this.released.complete(null);
				}
			}
		}

	}

}
