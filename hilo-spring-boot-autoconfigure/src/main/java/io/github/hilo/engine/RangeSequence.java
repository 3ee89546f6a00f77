package io.github.hilo.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.CounterRepair;
import io.github.hilo.store.FreeNumbers;
import io.github.hilo.store.Place;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * One counter of one database, for any number of threads: what brings a lock, time, I/O
 * and blocking to its {@link SequenceState}, which decides.
 * <p>
 * How it is safe: a call that finds a number reads {@link #current} alone, and that
 * cursor decides who gets it. Everything else is a step, which {@link #on} lets the state
 * handle under the lock. It publishes the current cursor in one statement, after the
 * state has served those that wait: nobody can take a number of a new range before them.
 * The effects are performed once the lock is free, so it is never held across I/O, while
 * waiting or while a caller's own code runs.
 * <p>
 * An error of the virtual machine disables nothing: the stack that a step needs is made
 * sure of before the lock, the lock is released whatever is thrown, and an operation that
 * is lost all the same ends with its deadline, at the next step.
 * <p>
 * What was set aside for a caller before a reset is not used after it: every outcome
 * carries the number of resets by then, and the caller compares it.
 */
final class RangeSequence implements HiLoSequence, SequenceView {

	private final String name;

	private final HiLoSettings settings;

	private final TimeSource time;

	private final AtomicReference<EngineMode> mode;

	private final EngineEvents events;

	private final ReentrantLock lock = new ReentrantLock();

	private final SequenceState state;

	private final BlockingCallers callers;

	private volatile RangeCursor current;

	/**
	 * The database, as the last caller resolved it. Any caller's will do: whatever
	 * answers to one name is the same database.
	 */
	private volatile RangeStore store;

	/**
	 * How often the sequence was reset.
	 */
	private volatile int resets;

	RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<EngineMode> mode, EngineEvents events) {
		this.name = name;
		this.store = store;
		this.settings = settings;
		this.time = time;
		this.mode = mode;
		this.events = events;
		this.state = new SequenceState(name, settings);
		this.callers = new BlockingCallers(this, settings.timeout(), time);
		this.current = this.state.current();
	}

	/**
	 * Uses a database from now on.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @return this
	 */
	RangeSequence over(RangeStore store) {
		this.store = store;
		return this;
	}

	@Override
	public long nextId() {
		long number = this.current.take();
		return (number != RangeCursor.NONE) ? number : this.callers.await().number();
	}

	@Override
	public String nextDocumentId() {
		RangeCursor cursor = this.current;
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? cursor.documentId(number) : this.callers.await().documentId();
	}

	@Override
	public long[] nextIds(int count) {
		return this.callers.awaitBlock(count).numbers();
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return this.callers.awaitBlock(count).documentIds();
	}

	@Override
	public long ensureAtLeast(long floor) {
		return this.callers.awaitRaise(Arguments.requireFloor(floor));
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String database() {
		return this.store.database();
	}

	/**
	 * Where numbers come from at this moment.
	 */
	RangeCursor current() {
		return this.current;
	}

	/**
	 * Asks for a number, a block or a range that is held, without blocking.
	 * @return the waiter, which has ended already where nothing had to be waited for
	 */
	Waiter ask(Waiter waiter) {
		on((state, now, effects) -> state.ask(waiter, now, effects));
		return waiter;
	}

	/**
	 * Raises the counter, and issues no number up to the floor any more once it is there.
	 * @param floor what the counter has to reach
	 * @return what ends with the counter's value, or with a failure; where it is
	 * cancelled before it is sent, nothing is raised
	 */
	CompletableFuture<Long> raise(long floor) {
		Operation.Raise raise = new Operation.Raise(floor, this.state.requestTimeout(), new CompletableFuture<>());
		on((state, now, effects) -> state.raise(raise, now, effects));
		return raise.answer();
	}

	/**
	 * Returns what is unissued, as soon as those that wait for a reservation in flight
	 * have their numbers.
	 * @return what ends when nothing is held any more, with why a return failed, or
	 * {@code null}
	 */
	CompletableFuture<@Nullable RuntimeException> release() {
		CompletableFuture<@Nullable RuntimeException> ended = new CompletableFuture<>();
		on((state, now, effects) -> state.release(ended, now, effects));
		return ended;
	}

	/**
	 * Discards what is held: the release took too long, and this process may be copied
	 * next.
	 */
	void discard() {
		on(SequenceState::discard);
	}

	/**
	 * Finds what is known of the numbers that are free in a place.
	 */
	FreeNumbers placed(Place place) {
		return this.store.freeNumbers(this.name, place);
	}

	/**
	 * Confirms a number that was issued.
	 * @return whether it is free; otherwise the counter was raised above what is stored
	 */
	CompletionStage<Boolean> confirm(Place place, Object issued) {
		StackReserve.require();
		return this.store.confirm(this.name, place, issued, (floor) -> raise(floor).thenApply((max) -> {
			repaired(CounterRepair.STORED);
			return max;
		}));
	}

	/**
	 * Whether the database answers, be it with an error.
	 */
	CompletionStage<Boolean> answers() {
		return this.store.answers(this.name, this.state.requestTimeout());
	}

	/**
	 * Forgets what is held, and whatever is in flight: after a pause this process may be
	 * one of several copies, all of which remember the same.
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
	void reset() {
		StackReserve.require();
		process((state, now, effects) -> {
			this.resets++;
			state.reset(now, effects);
		});
	}

	/**
	 * Starts what is due after a reset.
	 */
	void proceed() {
		on(SequenceState::startNext);
	}

	/**
	 * Takes a caller that has given up out of the queue.
	 */
	void leave(Waiter waiter) {
		on((state, now, effects) -> state.leave(waiter));
		tellWait(waiter);
	}

	/**
	 * Takes a failure for over, as an operator says.
	 */
	void forgiveFailure() {
		on((state, now, effects) -> state.forgiveFailure());
	}

	/**
	 * Shows the sequence. Where no id can be issued, it is tried in the background
	 * whether they can again.
	 */
	SequenceSnapshot checkHealth() {
		on(SequenceState::seekRecovery);
		return snapshot();
	}

	@Override
	public SequenceSnapshot snapshot() {
		String document = this.store.document(this.name);
		this.lock.lock();
		try {
			return this.state.snapshot(document, moment());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether what was set aside for a caller may still be used.
	 */
	boolean isStillValid(Waiter waiter) {
		return waiter.resets() == this.resets;
	}

	HiLoUnavailableException unavailable(String why, Exception cause) {
		return ReservationFailure.noRange(this, why, cause);
	}

	/**
	 * Lets the state handle a step on a stack that is large enough, once an operation
	 * that has outlived its time is over.
	 */
	private void on(SequenceStep step) {
		StackReserve.require();
		process(expiring(step));
	}

	private SequenceStep expiring(SequenceStep step) {
		return (state, now, effects) -> {
			Operation<?> late = state.late(now);
			if (late != null) {
				// If an answer comes all the same, it is discarded, except that of a
				// raise.
				late.ended(state, null, ReservationFailure.late(late, this, this.settings.timeout()), now, effects);
			}
			step.handle(state, now, effects);
		};
	}

	/**
	 * Lets the state handle a step, publishes where numbers come from, and performs what
	 * the step leads to.
	 */
	private void process(SequenceStep step) {
		Effects effects = new Effects(this);
		int resets = 0;
		this.lock.lock();
		try {
			step.handle(this.state, moment(), effects);
		}
		finally {
			try {
				resets = this.resets;
				this.current = this.state.current();
			}
			finally {
				this.lock.unlock();
				perform(effects, resets);
			}
		}
	}

	private void perform(Effects effects, int resets) {
		try {
			effects.events().forEach(this.events::tell);
			effects.started().forEach(this::start);
		}
		finally {
			effects.served().forEach((waiter) -> complete(waiter, resets));
			effects.answer();
		}
	}

	private void complete(Waiter waiter, int resets) {
		try {
			tellWait(waiter);
		}
		finally {
			waiter.complete(resets);
		}
	}

	private Moment moment() {
		return new Moment(Objects.requireNonNull(this.mode.get()), this.time.nanoTime(), this.time.now());
	}

	private <T> void start(Operation<T> operation) {
		RangeStore store = this.store;
		if (operation instanceof Operation.Reservation reservation) {
			this.events.tell(new EngineEvent.ReservationStarted(this, reservation.token()));
		}
		answerOf(operation, store).whenComplete((answer, failure) -> ended(operation, answer,
				(answer == null) ? ReservationFailure.of(operation, this, failure) : null));
	}

	private <T> CompletionStage<T> answerOf(Operation<T> operation, RangeStore store) {
		try {
			return Objects.requireNonNull(operation.send(store, this.name, this::repaired), "The store answered null");
		}
		// An error too, such as that no thread could be created, must end the operation.
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void repaired(CounterRepair cause) {
		this.events.tell(new EngineEvent.CounterRepaired(this, cause));
	}

	/**
	 * An operation has ended.
	 * @param answer the answer, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 */
	<T> void ended(Operation<T> operation, @Nullable T answer, @Nullable RuntimeException failure) {
		// On the stack that whoever sent it has made sure of, if the answer is there at
		// once.
		process(expiring((state, now, effects) -> operation.ended(state, answer, failure, now, effects)));
	}

	/**
	 * A caller had to wait, and got its number or gave up.
	 */
	private void tellWait(Waiter waiter) {
		if (waiter.isTaking() && waiter.isWaiting()) {
			this.events.tell(
					new EngineEvent.Waited(this, Duration.ofNanos(this.time.nanoTime() - waiter.waitingSinceNanos())));
		}
	}

}
