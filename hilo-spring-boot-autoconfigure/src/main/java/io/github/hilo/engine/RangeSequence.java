package io.github.hilo.engine;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * One counter of one database, for any number of threads: what brings a lock, time, I/O
 * and blocking to its {@link SequenceState}, which decides.
 * <p>
 * How it is safe: a call that finds a number reads {@link #current} alone, and that
 * cursor decides who gets it. Everything else is an event, which {@link #on} lets the
 * state handle under the lock. {@link #on} publishes the current cursor in one statement,
 * after the state has served those that wait: nobody can take a number of a new range
 * before them. The effects are performed once the lock is free, so it is never held
 * across I/O, while waiting or while a caller's own code runs.
 * <p>
 * An error of the virtual machine disables nothing: the stack that an event needs is made
 * sure of before the lock, the lock is released whatever is thrown, and an operation that
 * is lost all the same ends with its deadline, at the next event.
 * <p>
 * What was set aside for a caller before a reset is not used after it: every outcome
 * carries the number of resets by then, and the caller compares it.
 * <p>
 * A sequence that is forgotten is marked under the lock, and handles no event any more:
 * it can never hold a range again. Who still has it goes on with its
 * {@linkplain #registered() successor}, so every range is held by a sequence that the
 * registry knows.
 */
final class RangeSequence implements HiLoSequence, SequenceView {

	/**
	 * Stands for the number of resets in an outcome that was never set aside.
	 */
	private static final int NEVER_VALID = -1;

	private final String name;

	private final HiLoSettings settings;

	private final TimeSource time;

	private final AtomicReference<EngineMode> mode;

	private final ReentrantLock lock = new ReentrantLock();

	private final SequenceState state;

	private final BlockingCallers callers;

	private volatile RangeCursor current;

	private final OperationSender sender;

	/**
	 * How often the sequence was reset.
	 */
	private volatile int resets;

	private final Function<RangeStore, RangeSequence> registry;

	/**
	 * Written once, under the lock.
	 */
	private volatile boolean forgotten;

	/**
	 * What took its place when a caller last looked for it.
	 */
	private volatile @Nullable RangeSequence successor;

	/**
	 * Ends when the listener has heard that the sequence is forgotten.
	 */
	private final CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();

	/**
	 * Creates a sequence.
	 * @param registry finds the sequence of this name that is registered by then
	 */
	RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<EngineMode> mode, Function<RangeStore, RangeSequence> registry) {
		this(name, store, settings, time, mode, registry, new SequenceState(name, settings));
	}

	private RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<EngineMode> mode, Function<RangeStore, RangeSequence> registry, SequenceState state) {
		this.name = name;
		this.registry = registry;
		this.sender = new OperationSender(name, store, time);
		this.settings = settings;
		this.time = time;
		this.mode = mode;
		this.state = state;
		this.callers = new BlockingCallers(this, name, settings.timeout(), time);
		this.current = state.current();
	}

	/**
	 * Copies the sequence, as a snapshot of this process does.
	 * @param store the copy's database
	 * @param mode the copy's mode
	 * @param registry the copy's registry
	 * @param waiters takes the copy of each caller that waits
	 */
	RangeSequence copy(RangeStore store, AtomicReference<EngineMode> mode, Function<RangeStore, RangeSequence> registry,
			Consumer<Waiter> waiters) {
		RangeSequence copy = locked((state) -> new RangeSequence(this.name, store, this.settings, this.time, mode,
				registry, state.copy(waiters)));
		copy.listener(SequenceListener.NONE);
		return copy;
	}

	@Override
	public long nextId() {
		return nextId(null);
	}

	@Override
	public String nextDocumentId() {
		return nextDocumentId(null);
	}

	@Override
	public long[] nextIds(int count) {
		return nextBlock(null, count).numbers();
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return nextBlock(null, count).documentIds();
	}

	String name() {
		return this.name;
	}

	/**
	 * Issues the next number.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 */
	long nextId(@Nullable RangeStore store) {
		long number = this.current.take();
		if (number != RangeCursor.NONE) {
			return number;
		}
		return this.forgotten ? registered().nextId(store) : this.callers.await(store).number();
	}

	/**
	 * Issues the next document id.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 */
	String nextDocumentId(@Nullable RangeStore store) {
		RangeCursor cursor = this.current;
		long number = cursor.take();
		if (number != RangeCursor.NONE) {
			return cursor.documentId(number);
		}
		return this.forgotten ? registered().nextDocumentId(store) : this.callers.await(store).documentId();
	}

	/**
	 * Issues several numbers.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 */
	NumberBlock nextBlock(@Nullable RangeStore store, int count) {
		return this.callers.awaitBlock(store, count);
	}

	/**
	 * Where numbers come from at this moment.
	 */
	RangeCursor current() {
		return this.current;
	}

	/**
	 * Asks for a number, a block or a range that is held, without blocking.
	 * @param store the sequence's database, as the calling thread resolved it, or
	 * {@code null} if it is always the same
	 * @return the waiter, which has ended already where nothing had to be waited for; if
	 * the sequence is forgotten, with an outcome that is not valid
	 */
	Waiter ask(@Nullable RangeStore store, Waiter waiter) {
		boolean handled = on((state, now, effects) -> {
			state.ask(waiter, now, effects);
			if (store != null) {
				this.sender.store(store);
			}
		});
		if (!handled && waiter.settle()) {
			waiter.outcome(null, null).complete(NEVER_VALID);
		}
		return waiter;
	}

	/**
	 * Makes sure that a range with a number in it is held, without taking one.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @return what ends with the reservation, or with its failure
	 */
	CompletionStage<@Nullable IssuedNumber> warmUp(RangeStore store) {
		Waiter waiter = ask(store, new Waiter(false));
		return (waiter.resets() != NEVER_VALID) ? waiter.answer() : registered().warmUp(store);
	}

	/**
	 * Raises the counter, and issues no number up to the floor any more once it is there.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @param floor what the counter has to reach
	 * @return what ends with the counter's value, or with a failure
	 */
	CompletionStage<Long> raise(RangeStore store, long floor) {
		Operation.Raise raise = new Operation.Raise(floor, this.state.requestTimeout());
		boolean handled = on((state, now, effects) -> {
			state.raise(raise, now, effects);
			this.sender.store(store);
		});
		return handled ? raise.answer() : registered().raise(store, floor);
	}

	/**
	 * Returns what is unissued, as soon as those that wait for a reservation in flight
	 * have their numbers.
	 * @param places how many places a range must cover to be kept
	 * @return what ends when nothing else is held any more
	 */
	CompletableFuture<@Nullable Void> release(int places) {
		CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
		boolean handled = on((state, now, effects) -> state.release(ended, places, now, effects));
		return handled ? ended : CompletableFuture.completedFuture(null);
	}

	/**
	 * Discards what is held: the release took too long.
	 */
	void discard() {
		on(SequenceState::discard);
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
			state.reset(effects);
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
		waited(waiter);
	}

	/**
	 * Sets what receives the sequence's events, once.
	 */
	void listener(SequenceListener listener) {
		this.sender.events().listener(listener);
	}

	/**
	 * Forgets the sequence, unless something would be lost with it or its listener is not
	 * known yet.
	 * @return whether it is forgotten now, and was not before
	 */
	boolean forget() {
		boolean forgets = locked((state) -> {
			boolean now = !this.forgotten && this.sender.events().areHeard() && state.isForgettable();
			this.forgotten |= now;
			return now;
		});
		if (forgets) {
			this.sender.events().tell(SequenceListener::forgotten);
			this.gone.complete(null);
		}
		return forgets;
	}

	boolean isForgotten() {
		return this.forgotten;
	}

	/**
	 * What ends when the listener has heard that the sequence is forgotten.
	 */
	CompletableFuture<@Nullable Void> gone() {
		return this.gone;
	}

	/**
	 * This sequence, or the one that has taken its place if it is forgotten.
	 */
	RangeSequence registered() {
		if (!this.forgotten) {
			return this;
		}
		RangeSequence known = this.successor;
		if (known == null || known.forgotten) {
			known = this.registry.apply(this.sender.store());
			this.successor = known;
		}
		return known;
	}

	/**
	 * Tells whether ids can be issued. Where they cannot, it is tried in the background
	 * whether they can again.
	 */
	SequenceHealth checkHealth() {
		on((state, now, effects) -> {
			// Only an operation that is late matters.
		});
		SequenceHealth health = health();
		if (health.outage() != null) {
			on(SequenceState::seekRecovery);
		}
		return health;
	}

	@Override
	public SequenceHealth health() {
		return locked(SequenceState::health);
	}

	@Override
	public SequenceSnapshot snapshot() {
		String document = this.sender.store().document(this.name);
		return locked((state) -> state.snapshot(document, moment()));
	}

	/**
	 * Whether what was set aside for a caller may still be used.
	 */
	boolean isStillValid(Waiter waiter) {
		return waiter.resets() == this.resets;
	}

	HiLoUnavailableException unavailable(String why, Exception cause) {
		return this.sender.unavailable(why, cause);
	}

	/**
	 * Lets the state handle an event on a stack that is large enough, once an operation
	 * that has outlived its time is over.
	 * @return {@code false} if the sequence is forgotten, and nothing was done
	 */
	private boolean on(SequenceEvent event) {
		StackReserve.require();
		return process(expiring(event));
	}

	private SequenceEvent expiring(SequenceEvent event) {
		return (state, now, effects) -> {
			Operation<?> late = state.late(now);
			if (late != null) {
				state.expire(late, this.sender.late(late, this.settings.timeout()), now, effects);
			}
			event.handle(state, now, effects);
		};
	}

	/**
	 * Lets the state handle an event, publishes where numbers come from, and performs
	 * what the event leads to.
	 * @return {@code false} if the sequence is forgotten, and nothing was done
	 */
	private boolean process(SequenceEvent event) {
		Effects effects = new Effects();
		this.lock.lock();
		try {
			return !this.forgotten && handle(event, effects);
		}
		finally {
			this.lock.unlock();
			perform(effects);
		}
	}

	private boolean handle(SequenceEvent event, Effects effects) {
		try {
			event.handle(this.state, moment(), effects);
			return true;
		}
		finally {
			effects.resets(this.resets);
			this.current = this.state.current();
		}
	}

	private void perform(Effects effects) {
		try {
			effects.started().forEach(this::start);
		}
		finally {
			effects.complete(this::waited);
			if (effects.lost() != null) {
				this.sender.lost(effects.lost());
			}
		}
	}

	private <T> T locked(Function<SequenceState, T> reading) {
		this.lock.lock();
		try {
			return reading.apply(this.state);
		}
		finally {
			this.lock.unlock();
		}
	}

	private Moment moment() {
		return new Moment(Objects.requireNonNull(this.mode.get()), this.time.nanoTime(), this.time.now());
	}

	private <T> void start(Operation<T> operation) {
		this.sender.send(operation, (answer, failure) -> ended(operation, answer, failure));
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

	private void waited(Waiter waiter) {
		this.sender.waited(waiter, this.time.nanoTime());
	}

}
