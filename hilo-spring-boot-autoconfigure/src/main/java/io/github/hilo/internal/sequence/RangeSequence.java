package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
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
 * An error of the virtual machine disables nothing: the lock is released whatever is
 * thrown, and an operation that is lost ends with its deadline, at the next step.
 */
public final class RangeSequence implements HiLoSequence {

	private final String name;

	private final HiLoSettings settings;

	private final TimeSource time;

	private final AtomicReference<Mode> mode;

	private final Consumer<SequenceEvent> events;

	private final Executor executor;

	private final ReentrantLock lock = new ReentrantLock();

	private final SequenceState state;

	private final StoreCalls calls;

	// Whether ids must be free where they go.
	private final boolean checked;

	private volatile RangeCursor current;

	// As the last caller resolved it: whatever answers to one name is the same database.
	private volatile RangeStore store;

	private volatile boolean asked;

	// The number up to which none is issued any more, the current cursor apart.
	private volatile long passed;

	// The highest number that is left out if the application chooses it.
	private volatile long reach = HiLoIdGenerator.MAX_FLOOR;

	// For callers that name no place.
	private final PlacedSequence anywhere = new PlacedSequence(this, null);

	// Saves one after the other go to one place.
	private volatile PlacedSequence lastPlaced = this.anywhere;

	public RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time,
			AtomicReference<Mode> mode, Consumer<SequenceEvent> events, Executor executor) {
		this.name = name;
		this.store = store;
		this.settings = settings;
		this.time = time;
		this.mode = mode;
		this.events = events;
		this.executor = executor;
		this.state = new SequenceState(name, settings);
		this.calls = new StoreCalls(this, time, events);
		this.checked = settings.sequences().apply(name).checked();
		this.current = this.state.current();
	}

	/**
	 * A caller has asked for the sequence.
	 */
	public RangeSequence useStore(RangeStore store) {
		if (this.store != store || !this.asked) {
			this.store = store;
			this.asked = true;
		}
		return this;
	}

	/**
	 * Whether anybody has asked for the sequence. Otherwise it only leaves numbers out.
	 */
	public boolean isAsked() {
		return this.asked;
	}

	@Override
	public long nextId() {
		long number = this.current.take();
		return (number != RangeCursor.NONE) ? number : await(1, null, null).first();
	}

	@Override
	public String nextDocumentId() {
		return this.anywhere.nextDocumentId();
	}

	@Override
	public long[] nextIds(int count) {
		return this.anywhere.nextIds(count);
	}

	@Override
	public List<String> nextDocumentIds(int count) {
		return this.anywhere.nextDocumentIds(count);
	}

	@Override
	public long ensureAtLeast(long floor) {
		return ensureAtLeast(floor, null);
	}

	long ensureAtLeast(long floor, @Nullable Deadline deadline) {
		Deadline limit = (deadline != null) ? deadline : deadline();
		limit.waitFor(Deadline.Phase.RAISE);
		return LatchWait.await(raise(Arguments.requireFloor(floor)), limit,
				(why, cause) -> ReservationFailure.notRaised(this, floor, why, cause));
	}

	public String name() {
		return this.name;
	}

	public String database() {
		return this.store.database();
	}

	RangeCursor current() {
		return this.current;
	}

	/**
	 * Waits for numbers that are free where they go.
	 */
	NumberBlock await(int count, @Nullable Place place, @Nullable Deadline deadline) {
		Deadline limit = (deadline != null) ? deadline : deadline();
		CompletableFuture<NumberBlock> result = new CompletableFuture<>();
		Waiter waiter = take(count, place, limit, result, Runnable::run);
		try {
			return LatchWait.await(result, limit, (why, cause) -> ReservationFailure.noRange(this, why, cause));
		}
		finally {
			ended(waiter, limit);
		}
	}

	/**
	 * Takes numbers as soon as there are some that are free where they go.
	 * @param result ends with them; ended by its caller, the call is over
	 * @param lockers run what needs the lock
	 */
	Waiter take(int count, @Nullable Place place, Deadline limit, CompletableFuture<NumberBlock> result,
			Executor lockers) {
		Waiter waiter = ask(new Waiter(count, place, limit));
		CompletionStage<?> unused = result.whenComplete((block, failure) -> {
			if (waiter.settle()) {
				lockers.execute(() -> leave(waiter));
			}
		});
		unused = waiter.answer().whenComplete((served, failure) -> {
			if (failure != null) {
				result.completeExceptionally(failure);
			}
			else if (!result.complete(served.block())) {
				served.block()
					.runs()
					.forEach((run) -> this.events.accept(
							new SequenceEvent.Discarded(this, run.first(), run.last(), "their caller has given up")));
			}
		});
		return waiter;
	}

	/**
	 * A call is over. One that was served at once has not waited, whatever its thread
	 * did.
	 */
	void ended(Waiter waiter, Deadline limit) {
		if (waiter.arrival() > 0) {
			this.events.accept(new SequenceEvent.Waited(this, waiter.waited(this.time), limit.phase(), limit.whole()));
		}
	}

	Duration commandTimeout() {
		return this.settings.commandTimeout();
	}

	private Deadline deadline() {
		return new Deadline(this.settings.timeout(), this.time);
	}

	/**
	 * Finds the sequence of callers whose ids go to a place, or where any will do.
	 */
	public PlacedSequence placed(@Nullable Place place) {
		if (place == null || !this.checked) {
			return this.anywhere;
		}
		PlacedSequence last = this.lastPlaced;
		if (!last.isOf(place)) {
			last = new PlacedSequence(this, place);
			this.lastPlaced = last;
		}
		return last;
	}

	/**
	 * The application stores a document with an id that it has chosen: its number is
	 * never issued. Takes the lock only for a number that is left out, and only for an
	 * instant.
	 */
	public void chosen(Object id) {
		long number = (id instanceof Number any) ? any.longValue() : this.state.format().numberAtEnd((String) id);
		if (this.checked && number > this.passed && number <= this.reach && !this.current.isPast(number)) {
			// Nothing that is due is started on the thread of a save.
			process((step) -> this.state.chosen(number, step));
		}
	}

	/**
	 * Asks for numbers, or a range that is held, without blocking.
	 */
	Waiter ask(Waiter waiter) {
		process(expiring((step) -> this.state.ask(waiter, step)),
				(rest) -> (waiter.isSettled() ? this.executor : (Executor) Runnable::run).execute(rest));
		return waiter;
	}

	public CompletableFuture<?> ensureRange() {
		return ask(Waiter.forRange()).answer();
	}

	void leave(Waiter waiter) {
		on((step) -> this.state.leave(waiter));
	}

	/**
	 * Raises the counter, and issues no number up to the floor any more once it is there.
	 */
	CompletableFuture<Long> raise(long floor) {
		on(this.state::requireOpen);
		return this.calls.raise(this.store, floor, commandTimeout());
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
	 * Forgets what is held, and whatever is in flight: after a pause this process may be
	 * one of several copies, all of which remember the same.
	 */
	public void reset() {
		process(this.state::reset);
	}

	/**
	 * Starts what is due after a reset.
	 */
	public void proceed() {
		on(this.state::startNext);
	}

	/**
	 * Tells that a number was issued that its caller cannot use.
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
	 */
	public SequenceSnapshot checkHealth() {
		on(this.state::seekRecovery);
		return snapshot();
	}

	/**
	 * Shows the sequence, without taking a number, sending anything or waiting for an
	 * answer.
	 */
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
	 * Lets the state handle a caller's step.
	 */
	private void on(Consumer<Step> action) {
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
		process(action, Runnable::run);
	}

	/**
	 * Lets the state handle a step.
	 * @param executor tells and sends what it leads to; who has a number does not wait
	 * for that
	 */
	private void process(Consumer<Step> action, Executor executor) {
		Step step = null;
		this.lock.lock();
		try {
			step = newStep();
			action.accept(step);
		}
		finally {
			try {
				this.current = this.state.current();
				this.passed = this.state.passed();
				this.reach = (step != null) ? this.state.reach(step) : this.reach;
			}
			finally {
				this.lock.unlock();
				if (step != null) {
					perform(step, executor);
				}
			}
		}
	}

	private Step newStep() {
		return new Step(this, Objects.requireNonNull(this.mode.get()), this.time);
	}

	private void perform(Step step, Executor executor) {
		try {
			if (!step.events().isEmpty() || !step.started().isEmpty()) {
				executor.execute(() -> {
					step.events().forEach(this.events);
					step.started().forEach((operation) -> this.calls.send(operation, this.store));
				});
			}
		}
		finally {
			step.answer();
		}
	}

	boolean isInFlight(Operation operation) {
		this.lock.lock();
		try {
			return this.state.isInFlight(operation);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A reservation was answered, or failed.
	 */
	void reserved(Operation.Reservation reservation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure) {
		process(expiring((step) -> this.state.reserved(reservation, range, failure, step)));
	}

	void returned(Operation.Return operation, @Nullable Boolean returned, @Nullable RuntimeException failure) {
		process(expiring((step) -> this.state.returned(operation, returned, failure, step)));
	}

	void found(Operation.Find find, @Nullable Long stored, @Nullable RuntimeException failure) {
		process(expiring((step) -> this.state.found(find, stored, failure, step)));
	}

	void raised(long floor) {
		process((step) -> this.state.raised(floor, step));
	}

	/**
	 * Where an engine stands in its life.
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
