package io.github.hilo.sequence;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoSequence;
import io.github.hilo.store.FreeNumbers;
import io.github.hilo.store.Place;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * One counter of one database, for any number of threads: what brings a lock, time, I/O
 * and blocking to its {@link SequenceState}, which decides.
 * <p>
 * How it is safe: a call that finds a number reads {@link #current} alone, and that
 * cursor decides who gets it. Everything else is a {@link Step}, which {@link #process}
 * lets the state handle under the lock. It publishes the current cursor in one statement,
 * after the state has served those that wait: nobody can take a number of a new range
 * before them. What the step leads to is performed once the lock is free, so it is never
 * held across I/O, while waiting or while a caller's own code runs.
 * <p>
 * An error of the virtual machine disables nothing: the stack that a step needs is made
 * sure of before the lock, the lock is released whatever is thrown, and an operation that
 * is lost all the same ends with its deadline, at the next step.
 * <p>
 * What was set aside for a caller before a reset is not used after it: every outcome
 * carries the number of resets by then, and the caller compares it. Internal.
 *
 * @hidden
 */
public final class RangeSequence implements HiLoSequence, SequenceView {

	/**
	 * What {@link #take()} answers if there is no number in memory.
	 */
	public static final long NONE = RangeCursor.NONE;

	private final String name;

	private final HiLoSettings settings;

	private final TimeSource time;

	private final AtomicReference<Mode> mode;

	private final Consumer<SequenceEvent> events;

	private final ReentrantLock lock = new ReentrantLock();

	private final SequenceState state;

	private final StoreCalls calls;

	private volatile RangeCursor current;

	// As the last caller resolved it: whatever answers to one name is the same database.
	private volatile RangeStore store;

	// How often the sequence was reset.
	private volatile int resets;

	/**
	 * Creates a sequence that holds nothing.
	 * @param name the exact name of the counter
	 * @param store its database
	 * @param settings the configuration
	 * @param time the clock
	 * @param mode where the engine stands in its life
	 * @param events told what happens, while no lock is held; must not throw
	 */
	public RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<Mode> mode, Consumer<SequenceEvent> events) {
		this.name = name;
		this.store = store;
		this.settings = settings;
		this.time = time;
		this.mode = mode;
		this.events = events;
		this.state = new SequenceState(name, settings);
		this.calls = new StoreCalls(this, time, events);
		this.current = this.state.current();
	}

	/**
	 * Uses a database from now on.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @return this
	 */
	public RangeSequence over(RangeStore store) {
		this.store = store;
		return this;
	}

	/**
	 * Takes a number if there is one in memory.
	 * @return the number, or {@link #NONE}
	 */
	public long take() {
		return this.current.take();
	}

	/**
	 * Takes a document id if there is a number in memory.
	 * @return the id, or {@code null}
	 */
	public @Nullable String takeDocumentId() {
		RangeCursor cursor = this.current;
		long number = cursor.take();
		return (number != NONE) ? cursor.documentId(number) : null;
	}

	@Override
	public long nextId() {
		long number = take();
		return (number != NONE) ? number : await(1).first();
	}

	@Override
	public String nextDocumentId() {
		String id = takeDocumentId();
		return (id != null) ? id : await(1).firstDocumentId();
	}

	@Override
	public long[] nextIds(int count) {
		return await(Arguments.requireCount(count)).numbers();
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return await(Arguments.requireCount(count)).documentIds();
	}

	@Override
	public long ensureAtLeast(long floor) {
		return LatchWait.await(raise(Arguments.requireFloor(floor)), this.settings.timeout(),
				(why, cause) -> ReservationFailure.notRaised(this, floor, why, cause));
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
	 * How long a caller waits.
	 * @return {@code hilo.timeout}
	 */
	public Duration timeout() {
		return this.settings.timeout();
	}

	RangeCursor current() {
		return this.current;
	}

	private NumberBlock await(int count) {
		CompletableFuture<Waiter> call = new CompletableFuture<>();
		AsyncSequence.queue(this, count, call, Function.identity(), Runnable::run, Runnable::run);
		Waiter waiter = LatchWait.await(call, this.settings.timeout(),
				(why, cause) -> ReservationFailure.noRange(this, why, cause));
		// The pause may have come while this thread was about to wake up.
		return isStillValid(waiter) ? waiter.block() : await(count);
	}

	/**
	 * Asks for numbers, or a range that is held, without blocking.
	 * @return the waiter, which has ended already where nothing had to be waited for
	 */
	Waiter ask(Waiter waiter) {
		on((step) -> this.state.ask(waiter, step));
		return waiter;
	}

	/**
	 * Asks for a range to be held.
	 * @return what ends when it is
	 */
	public CompletableFuture<?> hold() {
		return ask(new Waiter(0)).answer();
	}

	void leave(Waiter waiter) {
		on((step) -> this.state.leave(waiter));
		tellWait(waiter);
	}

	/**
	 * Raises the counter, and issues no number up to the floor any more once it is there.
	 * @param floor what the counter has to reach
	 * @return what ends with the counter's value, or with a failure
	 */
	CompletableFuture<Long> raise(long floor) {
		on(this.state::requireOpen);
		return this.calls.raise(this.store, floor, this.state.requestTimeout());
	}

	/**
	 * Whether what was set aside for a caller may still be used.
	 */
	boolean isStillValid(Waiter waiter) {
		return waiter.resets() == this.resets;
	}

	/**
	 * Returns what is unissued, as soon as those that wait for a reservation in flight
	 * have their numbers.
	 * @return what ends when nothing is held any more, with why a return failed, or
	 * {@code null}
	 */
	public CompletableFuture<@Nullable RuntimeException> release() {
		CompletableFuture<@Nullable RuntimeException> ended = new CompletableFuture<>();
		on((step) -> this.state.release(ended, step));
		return ended;
	}

	/**
	 * Discards what is held: the release took too long, and this process may be copied
	 * next.
	 */
	public void discard() {
		on(this.state::discard);
	}

	/**
	 * Finds what is known of the numbers that are free in a place.
	 * @param place where numbers are stored
	 * @return what is known
	 */
	public FreeNumbers placed(Place place) {
		return this.store.freeNumbers(this.name, place);
	}

	/**
	 * Confirms a number that was issued.
	 * @param place where it is about to be stored
	 * @param issued the number or document id
	 * @return whether it is free; otherwise the counter was raised above what is stored
	 */
	public CompletionStage<Boolean> confirm(Place place, Object issued) {
		StackReserve.require();
		return this.calls.confirm(this.store, place, issued, this.state.requestTimeout());
	}

	/**
	 * Whether the database answers, be it with an error.
	 * @return what ends with the answer
	 */
	public CompletionStage<Boolean> answers() {
		return this.store.answers(this.name, this.state.requestTimeout());
	}

	/**
	 * Forgets what is held, and whatever is in flight: after a pause this process may be
	 * one of several copies, all of which remember the same.
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock only
	public void reset() {
		StackReserve.require();
		process((step) -> {
			this.resets++;
			this.state.reset(step);
		});
	}

	/**
	 * Starts what is due after a reset.
	 */
	public void proceed() {
		on(this.state::startNext);
	}

	/**
	 * Tells that a number was issued that its caller cannot use.
	 * @param failure says why
	 */
	public void refused(HiLoExhaustedException failure) {
		this.events.accept(new SequenceEvent.Refused(this, failure));
	}

	/**
	 * Takes a failure for over, as an operator says.
	 */
	public void forgiveFailure() {
		on((step) -> this.state.forgiveFailure());
	}

	/**
	 * Shows the sequence. Where no id can be issued, it is tried in the background
	 * whether they can again.
	 * @return what it looks like now
	 */
	public SequenceSnapshot checkHealth() {
		on(this.state::seekRecovery);
		return snapshot();
	}

	@Override
	public SequenceSnapshot snapshot() {
		String document = this.store.document(this.name);
		this.lock.lock();
		try {
			return this.state.snapshot(document, newStep());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets the state handle a caller's step, on a stack that is large enough.
	 */
	private void on(Consumer<Step> action) {
		StackReserve.require();
		process(expiring(action));
	}

	/**
	 * Ends an operation that has outlived its time first.
	 */
	private Consumer<Step> expiring(Consumer<Step> action) {
		return (step) -> {
			this.state.expire(step);
			action.accept(step);
		};
	}

	/**
	 * Lets the state handle a step, publishes where numbers come from, and performs what
	 * the step leads to.
	 */
	private void process(Consumer<Step> action) {
		Step step = null;
		int resets = 0;
		this.lock.lock();
		try {
			step = newStep();
			action.accept(step);
		}
		finally {
			try {
				resets = this.resets;
				this.current = this.state.current();
			}
			finally {
				this.lock.unlock();
				if (step != null) {
					perform(step, resets);
				}
			}
		}
	}

	private Step newStep() {
		return new Step(this, Objects.requireNonNull(this.mode.get()), this.time);
	}

	private void perform(Step step, int resets) {
		try {
			step.events().forEach(this.events);
			step.started().forEach((operation) -> this.calls.send(operation, this.store));
		}
		finally {
			step.served().forEach((waiter) -> {
				tellWait(waiter);
				waiter.complete(resets);
			});
			step.endReleases();
		}
	}

	/**
	 * A reservation was answered, or failed. On the stack that whoever sent it has made
	 * sure of, if the answer is there at once.
	 */
	void reserved(Operation.Reservation reservation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure) {
		process(expiring((step) -> this.state.reserved(reservation, range, failure, step)));
	}

	void returned(Operation.Return operation, @Nullable Boolean returned, @Nullable RuntimeException failure) {
		process(expiring((step) -> this.state.returned(operation, returned, failure, step)));
	}

	void probed(Operation.Probe probe, @Nullable Long max) {
		process(expiring((step) -> this.state.probed(probe, max)));
	}

	void raised(long floor) {
		process((step) -> this.state.raised(floor));
	}

	/**
	 * A caller had to wait, and got its number or gave up.
	 */
	private void tellWait(Waiter waiter) {
		if (waiter.isTaking() && waiter.isWaiting()) {
			this.events.accept(new SequenceEvent.Waited(this,
					Duration.ofNanos(this.time.nanoTime() - waiter.waitingSinceNanos())));
		}
	}

	/**
	 * Where an engine stands in its life.
	 *
	 * @hidden
	 */
	public enum Mode {

		/**
		 * Ranges are reserved and held.
		 */
		RUNNING,

		/**
		 * Nothing is held: a late saver still gets a number, by a reservation of its own.
		 */
		PAUSED,

		/**
		 * Nothing is issued any more.
		 */
		CLOSED

	}

}
