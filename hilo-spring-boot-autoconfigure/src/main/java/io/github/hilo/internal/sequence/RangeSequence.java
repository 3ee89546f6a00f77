package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * One counter of one database, for any number of threads. {@link SequenceState} decides
 * what happens; this class adds the lock, the time, I/O and blocking.
 * <p>
 * How it is safe: a call that finds a number reads only the current cursor, and that
 * cursor decides who gets the number. Everything else is a {@link Step}. {@link #process}
 * lets {@code state} handle the step under {@code lock}, and publishes the current cursor
 * in one statement after the state has served the waiters. So nobody can take a number of
 * a new range before them. This class performs the effects of the step after it has
 * released the lock, so it never holds the lock during I/O, while it waits, or while code
 * of a caller runs.
 * <p>
 * The sequence goes on after an error of the virtual machine, such as a stack overflow:
 * {@link #process} releases the lock whatever is thrown, and if an operation was not sent
 * because of the error, the first step after the operation's deadline ends it.
 */
public final class RangeSequence {

	// So many looks, of which each saw no use, end the use of a client that may be gone.
	private static final int IDLE_LOOKS = 10;

	private final String name;

	private final String database;

	private final String counterId;

	private final HiLoSettings settings;

	private final TimeSource time;

	private final AtomicReference<Mode> mode;

	private final Consumer<SequenceEvent> events;

	private final Executor executor;

	private final ReentrantLock lock = new ReentrantLock();

	private final SequenceState state;

	private final OperationSender calls;

	// Whether a range must be covered where its numbers are stored.
	private final boolean checked;

	private final boolean consecutive;

	// The store of the last operation that was answered, for what no caller causes, or
	// null if it was let go. All stores of this sequence are of one database.
	private volatile @Nullable RangeStore store;

	// How much the sequence was used by the last look, and how many looks have seen no
	// more. The lock guards both.
	private long usedBefore;

	private int idleLooks;

	private volatile boolean asked;

	// This process issues no number up to this one any more, except from the current
	// cursor.
	private volatile long passed;

	private volatile RangeCursor current = RangeCursor.EMPTY;

	// Callers that must not wait for the lock, in their order, until a task asks for
	// them.
	private final Queue<Waiter> arriving = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean askIsDue = new AtomicBoolean();

	// Where numbers are stored, as far as this is known.
	private final Places places = new Places();

	private final ChosenNumbers chosen;

	// Asks again for the sequences of types that could not be named.
	private final Runnable nameTypes;

	private final PlacedSequence withoutPlace;

	// Kept, because successive calls mostly are for one place.
	private volatile PlacedSequence lastPlaced;

	/**
	 * @param sameName the places of the sequences with this name in all databases
	 * @param chosen the numbers of this sequence that the application chooses
	 * @param nameTypes asks again for the sequences of types that could not be named, on
	 * the thread of a caller
	 */
	public RangeSequence(String name, RangeStore store, HiLoSettings settings, Places sameName, ChosenNumbers chosen,
			Runnable nameTypes, TimeSource time, AtomicReference<Mode> mode, Consumer<SequenceEvent> events,
			Executor executor) {
		this.name = name;
		this.database = store.database();
		this.counterId = store.counterId(name);
		// Who creates the sequence need not use it.
		this.store = store.isKept() ? store : null;
		this.settings = settings;
		this.time = time;
		this.mode = mode;
		this.events = events;
		this.executor = executor;
		this.nameTypes = nameTypes;
		this.chosen = chosen;
		HiLoSettings.SequenceSettings ofName = settings.sequences().apply(name);
		this.checked = ofName.checked();
		this.consecutive = ofName.consecutive();
		this.state = new SequenceState(name, settings, this.places, chosen);
		this.calls = new OperationSender(this, time, events);
		this.withoutPlace = new PlacedSequence(this, this.places, null, null);
		this.lastPlaced = this.withoutPlace;
		if (this.checked) {
			sameName.addFollower(this.places);
		}
	}

	/**
	 * Records that a caller has asked for the sequence.
	 */
	public RangeSequence asked() {
		if (!this.asked) {
			this.asked = true;
		}
		return this;
	}

	/**
	 * Returns whether anybody has asked for the sequence. Until then it only excludes
	 * numbers.
	 */
	public boolean isAsked() {
		return this.asked;
	}

	boolean isConsecutive() {
		return this.consecutive;
	}

	public String name() {
		return this.name;
	}

	public String database() {
		return this.database;
	}

	public String describe() {
		return "sequence " + Names.quoted(this.name) + " of database " + Names.quoted(database());
	}

	HiLoUnavailableException noRange(String why) {
		return new HiLoUnavailableException("No range for " + describe() + ": " + why);
	}

	HiLoUnavailableException noRange(String why, Throwable cause) {
		return new HiLoUnavailableException("No range for " + describe() + ": " + why, cause);
	}

	HiLoUnavailableException notReturned(String why, Throwable cause) {
		return new HiLoUnavailableException("Unused numbers of " + describe() + " may not have been returned: " + why,
				cause);
	}

	HiLoUnavailableException notRaised(long floor, String why, Throwable cause) {
		return new HiLoUnavailableException(
				"The counter of " + describe() + " may not have been raised to " + floor + ": " + why, cause);
	}

	RangeCursor current() {
		return this.current;
	}

	Waiter await(Waiter waiter, Deadline limit) {
		CompletableFuture<Waiter> answer = ask(waiter).answer();
		try {
			return LatchWait.await(answer, limit, this::noRange);
		}
		finally {
			leave(waiter, Runnable::run);
		}
	}

	/**
	 * Requests numbers for a caller whose thread must never wait. What needs the lock
	 * runs on the stores' own threads: to queue for a range, and to leave the queue.
	 * @return the outcome; a caller that cancels it gives up
	 */
	CompletableFuture<Waiter> request(Waiter waiter, Asker asker) {
		CompletableFuture<Waiter> answer = tracked(waiter, asker);
		waiter.awaitTurn();
		asker.startAsking();
		this.arriving.add(waiter);
		if (this.askIsDue.compareAndSet(false, true)) {
			try {
				this.executor.execute(this::askForArriving);
			}
			// For example, the stack of a caller that recurses is used up.
			catch (Throwable ex) {
				this.askIsDue.set(false);
				answer.completeExceptionally(ex);
			}
		}
		return answer;
	}

	private CompletableFuture<Waiter> tracked(Waiter waiter, Asker asker) {
		waiter.askedBy(asker);
		CompletableFuture<?> unused = waiter.answer().whenComplete((served, failure) -> {
			asker.removeCall();
			leave(waiter, this.executor);
		});
		return waiter.answer();
	}

	private void askForArriving() {
		this.askIsDue.set(false);
		Waiter first = this.arriving.peek();
		process((first != null) ? first.storeOr(null) : null, expiring((step) -> {
			List<Waiter> callers = new ArrayList<>();
			for (Waiter next = this.arriving.poll(); next != null; next = this.arriving.poll()) {
				callers.add(next);
			}
			this.state.askAll(callers.stream().filter((waiter) -> !waiter.isSettled()).toList(), step);
			callers.forEach(Waiter::arrived);
		}), Runnable::run);
	}

	/**
	 * Answers a call that has found its numbers behind those of its thread that are not
	 * answered yet.
	 */
	CompletableFuture<Waiter> answerLater(Waiter waiter, Asker asker) {
		CompletableFuture<Waiter> answer = tracked(waiter, asker);
		if (waiter.settle()) {
			waiter.awaitAnswer();
			asker.add(() -> answer(waiter, null));
			asker.publish();
		}
		return answer;
	}

	/**
	 * Lets a caller leave the queue, unless its outcome is decided.
	 * @param forLock runs what needs the lock
	 */
	private void leave(Waiter waiter, Executor forLock) {
		if (waiter.settle()) {
			forLock.execute(() -> on((step) -> this.state.leave(waiter, step)));
		}
	}

	/**
	 * Passes the outcome to a caller. If the caller has given up after it was served, the
	 * numbers become a gap.
	 */
	void answer(Waiter waiter, @Nullable RuntimeException failure) {
		if (!waiter.complete(failure)) {
			// By a future, so that an error here cannot keep the outcome from other
			// waiters.
			CompletableFuture<?> unused = CompletableFuture.completedFuture(waiter.runs())
				.thenAcceptAsync((runs) -> runs.forEach((run) -> this.events
					.accept(new SequenceEvent.Discarded(this, run.first(), run.last(), "their caller has given up"))),
						this.executor);
		}
	}

	Duration commandTimeout() {
		return this.settings.commandTimeout();
	}

	Deadline deadline() {
		return new Deadline(this.settings.timeout(), this.time);
	}

	/**
	 * Returns the sequence for callers whose ids go to a place, which is known from then
	 * on. If it is {@code null}, they need a range that is covered in all known places.
	 */
	public PlacedSequence placed(@Nullable Place place) {
		if (place == null || !this.checked) {
			return this.withoutPlace;
		}
		PlacedSequence last = this.lastPlaced;
		if (!last.goesTo(place)) {
			register(place);
			last = new PlacedSequence(this, this.places, place, null);
			this.lastPlaced = last;
		}
		return last;
	}

	/**
	 * Returns the sequence for callers whose numbers go to a place, if it is known that
	 * no other counter can issue numbers there, or {@code null}.
	 */
	public @Nullable PlacedSequence claimed(Place place) {
		PlacedSequence last = this.lastPlaced;
		return (last.isClaimed() && last.goesTo(place)) ? last : null;
	}

	/**
	 * Records that numbers may be stored in a place.
	 */
	public void register(Place place) {
		if (this.checked) {
			this.places.add(place);
		}
	}

	/**
	 * Returns in how many places a range must be covered for a caller without a place
	 * that has arrived now. Call this on the thread of the caller.
	 */
	int placesToCover() {
		this.nameTypes.run();
		return this.places.size();
	}

	/**
	 * Returns whether a number with which the application is about to store a document
	 * must be excluded. The sequence could issue it now or later, or would forget it too
	 * early.
	 */
	public boolean mustExclude(long number) {
		return mayIssue(number) && (!this.chosen.isJustNoted(number) || this.state.mayIssue(number));
	}

	private boolean mayIssue(long number) {
		// process() publishes passed, and then the cursor. This reads them in the reverse
		// order, so a new cursor never meets an old passed.
		return this.checked && !current().isPast(number) && number > this.passed
				&& number <= HiLoIdGenerator.MAX_NUMBER;
	}

	/**
	 * Excludes a number from the ranges that are held, and for some minutes from those
	 * that arrive.
	 */
	public void exclude(long number) {
		if (mustExclude(number)) {
			this.chosen.add(number);
			excludeFromHeld(number);
		}
	}

	/**
	 * Excludes a number from the ranges that are held. Call this after the number was
	 * noted for those that arrive. Takes the lock only if a held range may issue the
	 * number, and only for an instant.
	 */
	public void excludeFromHeld(long number) {
		if (this.state.mayIssue(number) && mayIssue(number)) {
			// Does not end an overdue operation, because that would start the next
			// operation on the thread of a save.
			process((step) -> this.state.exclude(number));
		}
	}

	/**
	 * Requests numbers, or a range to be held, without blocking. A caller that is served
	 * need not wait for the other effects of the step.
	 */
	Waiter ask(Waiter waiter) {
		// Handles do not ask the registry again.
		asked();
		process(waiter.storeOr(null), expiring((step) -> this.state.ask(waiter, step)),
				(effects) -> (waiter.isSettled() ? this.executor : (Executor) Runnable::run).execute(effects));
		return waiter;
	}

	/**
	 * Requests a range to be held, and to be covered in the places of known types or, if
	 * there are none, in all that are known.
	 */
	public Stream<CompletableFuture<?>> ensureRange(RangeStore brought) {
		int all = placesToCover();
		List<Place> mapped = this.places.toList().stream().filter(Place::isOfType).toList();
		return (mapped.isEmpty() ? Stream.of(Waiter.withoutPlace(0, all, null)) : mapped.stream().map(Waiter::forRange))
			.map((waiter) -> ask(waiter.by(brought)).answer());
	}

	/**
	 * Raises the counter. As soon as it is raised, no number up to the floor is issued
	 * any more.
	 */
	CompletableFuture<Long> raise(long floor, @Nullable RangeStore brought) {
		process(brought, expiring(this.state::requireOpen), Runnable::run);
		return this.calls.raise(Objects.requireNonNull((brought != null) ? brought : this.store), floor,
				commandTimeout());
	}

	/**
	 * Raises the counter for a caller whose thread must never wait. A call that is
	 * cancelled before the raise is sent raises nothing.
	 */
	CompletableFuture<Long> requestRaise(long floor, @Nullable RangeStore brought) {
		return CompletableFuture.completedFuture(floor)
			.thenComposeAsync((requested) -> raise(requested, brought), this.executor);
	}

	/**
	 * Starts to return unused numbers to the counter, after the callers that wait for a
	 * reservation in flight have their numbers.
	 * @return a future that ends when nothing is held any more, with the failure of a
	 * return or {@code null}
	 */
	public CompletableFuture<@Nullable RuntimeException> release() {
		CompletableFuture<@Nullable RuntimeException> ended = new CompletableFuture<>();
		on((step) -> this.state.release(ended, step));
		return ended;
	}

	/**
	 * Discards what is held, because the release took too long, and a checkpoint of this
	 * process may be made next.
	 */
	public void discard() {
		on(this.state::discard);
	}

	/**
	 * Forgets what is held and what is in flight. After a pause this process may be one
	 * of several copies, which all remember the same ranges.
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
	 * Publishes that a caller cannot use the number that was issued to it.
	 */
	public void refused(RuntimeException failure) {
		this.events.accept(new SequenceEvent.Refused(this, failure));
	}

	/**
	 * Returns whether the sequence has a client that may be gone.
	 */
	public boolean isBorrowing() {
		RangeStore own = this.store;
		return own != null && !own.isKept();
	}

	/**
	 * Looks whether the sequence was used. If several looks in a row have seen no use,
	 * returns what is held, and then lets the client go. The name and the highest number
	 * that was issued stay.
	 * @return a future that ends when nothing is to be done any more, with the failure of
	 * a return or {@code null}
	 */
	public CompletableFuture<@Nullable RuntimeException> letGoIfIdle() {
		boolean idle = locked(() -> {
			long used = this.state.used();
			this.idleLooks = (used == this.usedBefore) ? this.idleLooks + 1 : 0;
			this.usedBefore = used;
			return isIdle();
		});
		if (!idle || !isBorrowing()) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<@Nullable RuntimeException> released = release();
		return released.thenRun(() -> on(this::letGo)).thenCompose((none) -> released);
	}

	/**
	 * Returns whether so many looks have seen no use that the client is let go. Call this
	 * under the lock.
	 */
	boolean isIdle() {
		return this.idleLooks >= IDLE_LOOKS;
	}

	/**
	 * Lets the client go, unless the sequence was used meanwhile.
	 */
	private void letGo(Step step) {
		if (this.state.used() == this.usedBefore && this.state.isAtRest()) {
			this.state.forgetFailures();
			this.idleLooks = 0;
			this.store = null;
			this.asked = false;
			step.letGo();
		}
	}

	/**
	 * Forgets the latest failure, because an operator says that it is over.
	 */
	public void forgiveFailure() {
		on((step) -> this.state.forgiveFailure());
	}

	/**
	 * Returns a snapshot. If the sequence cannot issue numbers, it tries again in the
	 * background.
	 */
	public SequenceSnapshot checkHealth() {
		on(this.state::seekRecovery);
		return snapshot();
	}

	/**
	 * Returns a snapshot without taking a number, sending a command or waiting for an
	 * answer.
	 */
	public SequenceSnapshot snapshot() {
		return locked(() -> this.state.snapshot(this.counterId, newStep(null)));
	}

	private void on(Consumer<Step> action) {
		process(expiring(action));
	}

	/**
	 * Returns an action that first ends an operation that has outlived its time.
	 */
	private Consumer<Step> expiring(Consumer<Step> action) {
		return (step) -> {
			this.state.expire(step);
			action.accept(step);
		};
	}

	private void process(Consumer<Step> action) {
		process(null, action, Runnable::run);
	}

	/**
	 * Lets the state handle a step, publishes the current cursor, and performs the
	 * effects of the step.
	 * @param cause the store of the caller or operation that causes the step, or
	 * {@code null} for that of the sequence
	 * @param executor publishes the events of the step and sends its operations; callers
	 * that were served do not wait for that
	 */
	private void process(@Nullable RangeStore cause, Consumer<Step> action, Executor executor) {
		Step step = null;
		this.lock.lock();
		try {
			step = newStep(cause);
			action.accept(step);
		}
		finally {
			try {
				this.passed = this.state.passed();
				this.current = (step != null) ? this.state.published(step) : this.current;
			}
			finally {
				this.lock.unlock();
				if (step != null) {
					perform(step, executor);
				}
			}
		}
	}

	/**
	 * Creates a step. Call this under the lock, which {@link #letGo} holds, too.
	 */
	private Step newStep(@Nullable RangeStore cause) {
		if (this.store == null) {
			this.store = cause;
		}
		return new Step(this, Objects.requireNonNull(this.mode.get()), (cause != null) ? cause : this.store, this.time);
	}

	private void perform(Step step, Executor executor) {
		try {
			if (!step.events().isEmpty() || !step.operations().isEmpty()) {
				executor.execute(() -> {
					step.events().forEach(this.events);
					step.operations().forEach(this.calls::send);
				});
			}
		}
		finally {
			step.completeAll();
		}
	}

	boolean isInFlight(Operation operation) {
		return locked(() -> this.state.isInFlight(operation));
	}

	private <T> T locked(Supplier<T> read) {
		this.lock.lock();
		try {
			return read.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	void reserved(Operation.Reservation reservation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure) {
		answered(reservation, range, (step) -> this.state.reserved(reservation, range, failure, step));
	}

	void returned(Operation.Return operation, @Nullable Boolean returned, @Nullable RuntimeException failure) {
		answered(operation, returned, (step) -> this.state.returned(operation, returned, failure, step));
	}

	void found(Operation.Find find, Operation.@Nullable Found found, @Nullable RuntimeException failure) {
		answered(find, found, (step) -> this.state.found(find, found, failure, step));
	}

	private void answered(Operation operation, @Nullable Object answer, Consumer<Step> action) {
		if (answer != null) {
			this.store = operation.store();
		}
		process(operation.store(), expiring(action), Runnable::run);
	}

	void raised(long floor) {
		process((step) -> this.state.raised(floor, step));
	}

	public enum Mode {

		RUNNING,

		/**
		 * Sequences hold nothing. A late save still gets a number, by a reservation of
		 * its own.
		 */
		PAUSED,

		CLOSED

	}

}
