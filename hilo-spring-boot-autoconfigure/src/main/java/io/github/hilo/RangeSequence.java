package io.github.hilo;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * One counter of one database: the range that this process holds, and the one request
 * that is under way for it.
 * <p>
 * How it is safe: {@link #current} is the only thing that the quick path reads, and its
 * cursor alone decides who gets a number. Everything else is guarded by {@link #lock},
 * which is never held across I/O or while waiting. At most one {@link Operation} is in
 * flight, a reservation or a return, so the counter is never lowered under a reservation
 * of our own. An answer counts only while its operation is still the one in flight:
 * {@link #forget()} abandons it, and then its range is dropped unused, because a copy of
 * this process may have got the same answer.
 * <p>
 * A sequence is busy once it has used up a range within {@code hilo.range.grow-within},
 * until one lasts longer than {@code hilo.range.shrink-after}: sizes settle between the
 * two, and there too nobody should have to wait. Half-way through the range that follows,
 * the next one is requested in the background, and kept in {@link #next} until it is
 * needed. So the quick path has nothing to check for this, the range of a busy sequence
 * is cut in two segments at its half.
 * <p>
 * Callers that find the range used up join the reservation and wait for it, each with its
 * own timeout and interruption; they share its range or its failure. A release waits
 * until they have taken their numbers. While it waits no further reservation starts, so
 * it can't be put off for ever.
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

	private final Supplier<GeneratorMode> mode;

	private final ReentrantLock lock = new ReentrantLock();

	private final RangeSizing sizing;

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
	 * Callers that wait for a reservation or have yet to take their number from it.
	 */
	private int waiters;

	/**
	 * How often everything was forgotten.
	 */
	private int resets;

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

	RangeSequence(String name, RangeStore store, HiLoSettings settings, TimeSource time, Supplier<GeneratorMode> mode) {
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
		return (number != RangeCursor.NONE) ? number : awaitNumber(null).number();
	}

	@Override
	public String nextDocumentId() {
		RangeCursor cursor = this.current;
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? cursor.documentId(number) : awaitNumber(null).documentId();
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
				return (number != RangeCursor.NONE) ? number : awaitNumber(store).number();
			}

			@Override
			public String nextDocumentId() {
				RangeCursor cursor = RangeSequence.this.current;
				long number = cursor.take();
				return (number != RangeCursor.NONE) ? cursor.documentId(number) : awaitNumber(store).documentId();
			}

		};
	}

	/**
	 * Makes sure that a range with a number in it is held, without taking one.
	 * @param store the sequence's database, as the calling thread resolved it
	 * @return what ends with the reservation, or with its failure
	 */
	CompletionStage<@Nullable Void> warmUp(RangeStore store) {
		Reservation reservation;
		this.lock.lock();
		try {
			RangeCursor cursor = this.current;
			if (this.mode.get() == GeneratorMode.CLOSED || this.operation != null || this.releasing != null
					|| this.next != null || cursor.lastTaken() < cursor.range().max()) {
				return CompletableFuture.completedFuture(null);
			}
			reservation = newReservation(store);
		}
		finally {
			this.lock.unlock();
		}
		send(reservation);
		return reservation.done.thenCompose((ended) -> (reservation.failure != null)
				? CompletableFuture.failedFuture(reservation.failure) : CompletableFuture.completedFuture(null));
	}

	/**
	 * Gives what is unissued back, as soon as the waiters of a reservation in flight have
	 * their numbers.
	 * @return what ends when nothing is held any more
	 */
	CompletableFuture<@Nullable Void> release() {
		CompletableFuture<@Nullable Void> ended;
		Return unused;
		this.lock.lock();
		try {
			if (this.releasing == null) {
				this.releasing = new CompletableFuture<>();
			}
			ended = this.releasing;
			unused = releaseIfIdle();
		}
		finally {
			this.lock.unlock();
		}
		send(unused);
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
	void forget() {
		Operation abandoned;
		CompletableFuture<@Nullable Void> ended;
		this.lock.lock();
		try {
			abandoned = this.operation;
			this.operation = null;
			ended = this.releasing;
			this.releasing = null;
			this.resets++;
			drop();
		}
		finally {
			this.lock.unlock();
		}
		if (abandoned != null) {
			abandoned.done.complete(null);
		}
		if (ended != null) {
			ended.complete(null);
		}
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

	private Issued awaitNumber(@Nullable RangeStore store) {
		long deadlineNanos = this.time.nanoTime() + this.settings.timeout().toNanos();
		while (true) {
			Turn turn = takeOrJoin(store);
			if (turn.issued != null) {
				return turn.issued;
			}
			Issued number = await(turn, deadlineNanos);
			if (number != null) {
				return number;
			}
		}
	}

	/**
	 * Takes a number, or else starts or joins what has to end before there is one.
	 */
	private Turn takeOrJoin(@Nullable RangeStore resolved) {
		Reservation started = null;
		Turn turn;
		this.lock.lock();
		try {
			if (this.mode.get() == GeneratorMode.CLOSED) {
				throw new IllegalStateException("The HiLo id generator is closed, so sequence " + Quoted.name(this.name)
						+ " issues no more ids. Save documents before the application context has closed.");
			}
			Issued number = take();
			boolean due = (number == null) ? this.operation == null && this.releasing == null : isPrefetchDue();
			if (due) {
				started = newReservation(resolved);
			}
			if (number != null) {
				turn = new Turn(number, null, null);
			}
			else if (this.operation instanceof Reservation joined) {
				this.waiters++;
				joined.waiters++;
				turn = new Turn(null, joined.done, joined);
			}
			else {
				turn = new Turn(null, (this.operation != null) ? this.operation.done : this.releasing, null);
			}
		}
		finally {
			this.lock.unlock();
		}
		send(started);
		return turn;
	}

	private @Nullable Issued await(Turn turn, long deadlineNanos) {
		boolean ended = false;
		try {
			turn.until().get(deadlineNanos - this.time.nanoTime(), TimeUnit.NANOSECONDS);
			ended = true;
		}
		catch (TimeoutException ex) {
			throw new HiLoUnavailableException(
					describeFailure("no answer from MongoDB within " + this.settings.timeout()), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new HiLoUnavailableException(describeFailure("interrupted while waiting for it"), ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			if (!ended && turn.reservation() != null) {
				leave(turn.reservation(), false);
			}
		}
		if (turn.reservation() == null) {
			return null;
		}
		Issued number = leave(turn.reservation(), true);
		if (number == null && turn.reservation().failure != null) {
			throw copyOf(turn.reservation().failure);
		}
		return number;
	}

	/**
	 * Ends a caller's wait for a reservation, and the release that waited for the last of
	 * them.
	 */
	private @Nullable Issued leave(Reservation reservation, boolean take) {
		Issued number;
		Return unused;
		Reservation started = null;
		this.lock.lock();
		try {
			number = take ? claim(reservation) : null;
			this.waiters--;
			reservation.waiters--;
			unused = releaseIfIdle();
			if (isPrefetchDue()) {
				started = newReservation(reservation.store);
			}
		}
		finally {
			this.lock.unlock();
		}
		send(unused);
		send(started);
		return number;
	}

	/**
	 * Takes the number that was set aside for a waiter. What was answered before a reset
	 * is not used after it.
	 */
	private @Nullable Issued claim(Reservation reservation) {
		RangeCursor claims = reservation.claims;
		long number = (claims != null && reservation.resets == this.resets) ? claims.take() : RangeCursor.NONE;
		return (claims != null && number != RangeCursor.NONE) ? new Issued(number, claims) : take();
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
	 * Moves on from a segment that is used up, to the rest of its range or to the next
	 * range.
	 * @return whether there was one
	 */
	private boolean moveOn() {
		RangeCursor cursor = this.current;
		long left = cursor.range().max() - cursor.end();
		if (left > 0) {
			// While prefetching fails, pieces: each end is an occasion to try again.
			long size = (this.failures > 0) ? (left + 1) / 2 : left;
			this.current = cursor.rest(cursor.end() + 1, size);
			return true;
		}
		if (this.next != null) {
			RangeCursor.Held held = this.next;
			this.next = null;
			makeCurrent(held, 0);
			return true;
		}
		return false;
	}

	/**
	 * Whether the next range should be requested now, in the background.
	 */
	private boolean isPrefetchDue() {
		RangeCursor cursor = this.current;
		long nowNanos = this.time.nanoTime();
		return this.busy && this.next == null && this.operation == null && this.releasing == null
				&& this.mode.get() == GeneratorMode.RUNNING
				&& cursor.lastTaken() - cursor.range().min() + 1 >= halfOf(cursor.range().size())
				&& nowNanos - this.currentSinceNanos <= this.settings.shrinkAfter().toNanos()
				&& (this.failures == 0 || nowNanos - this.retryPrefetchNanos >= 0);
	}

	private static long halfOf(long size) {
		return size - size / 2;
	}

	private Reservation newReservation(@Nullable RangeStore resolved) {
		if (resolved != null) {
			this.store = resolved;
		}
		boolean running = this.mode.get() == GeneratorMode.RUNNING;
		long size = running ? this.sizing.nextSize(lastedNanos()) : 1;
		long known = Math.max(this.lastIssued,
				(this.next != null) ? this.next.range().max() : this.current.range().max());
		RangeRequest request = new RangeRequest(size, Math.max(this.initialValue - 1, known), known == 0,
				requestTimeout());
		Reservation reservation = new Reservation(this.store, request, this.resets);
		this.operation = reservation;
		return reservation;
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

	private void send(@Nullable Reservation reservation) {
		if (reservation != null) {
			answerOf(() -> reservation.store.reserve(this.name, reservation.request))
				.whenComplete((range, failure) -> answered(reservation, range, failure));
		}
	}

	private void answered(Reservation reservation, @Nullable ReservedRange range, @Nullable Throwable failure) {
		Return unused = null;
		this.lock.lock();
		try {
			if (this.operation != reservation) {
				return;
			}
			this.operation = null;
			if (range != null) {
				keep(range, reservation);
			}
			else {
				reservation.failure = unavailable(failure);
				failed(reservation.failure);
			}
			unused = releaseIfIdle();
		}
		finally {
			this.lock.unlock();
			reservation.done.complete(null);
		}
		send(unused);
	}

	private void keep(ReservedRange range, Reservation reservation) {
		this.reservations++;
		this.reserved += range.size();
		this.failures = 0;
		if (this.mode.get() == GeneratorMode.RUNNING) {
			this.sizing.reserved(range.size());
		}
		String prefix = range.serverPrefix();
		RangeCursor.Held held = new RangeCursor.Held(range, this.time.now(),
				prefix.isEmpty() ? this.idHead : this.idHead + prefix, this.idTail);
		RangeCursor cursor = this.current;
		if (cursor.lastTaken() < cursor.range().max()) {
			this.next = held;
		}
		else {
			// Otherwise callers that come by later could take what others wait for.
			long claimed = Math.min(reservation.waiters, range.size());
			reservation.claims = RangeCursor.first(held, claimed);
			makeCurrent(held, claimed);
		}
	}

	/**
	 * Starts to issue from a range, once the one before it is used up.
	 * @param held the range
	 * @param claimed how many of its numbers are set aside
	 */
	private void makeCurrent(RangeCursor.Held held, long claimed) {
		long nowNanos = this.time.nanoTime();
		this.busy = this.settings.prefetch() && this.current.range().size() > 0
				&& isBusyAfter(nowNanos - this.currentSinceNanos);
		this.currentSinceNanos = nowNanos;
		seal();
		long size = held.range().size();
		// The take that uses up the half finds the segment used up, and looks further.
		long segment = this.busy ? halfOf(size) - 1 : size;
		this.current = RangeCursor.first(held, claimed)
			.rest(held.range().min() + claimed, Math.max(0, segment - claimed));
	}

	private boolean isBusyAfter(long lastedNanos) {
		return this.busy ? lastedNanos <= this.settings.shrinkAfter().toNanos()
				: lastedNanos < this.settings.growWithin().toNanos();
	}

	private void failed(RuntimeException failure) {
		this.lastFailure = new SequenceSnapshot.Failure(this.time.now(), String.valueOf(failure.getMessage()));
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
	 * Starts the return that is due, if nothing stands in its way. In a generator that is
	 * not running a return is always due: it holds nothing.
	 */
	private @Nullable Return releaseIfIdle() {
		boolean due = this.releasing != null || this.mode.get() != GeneratorMode.RUNNING;
		boolean inUse = this.operation != null || this.waiters > 0;
		if (!due || inUse) {
			return null;
		}
		RangeReturn range = drop();
		if (range != null) {
			Return unused = new Return(this.store, range);
			this.operation = unused;
			return unused;
		}
		if (this.releasing != null) {
			this.releasing.complete(null);
			this.releasing = null;
		}
		return null;
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

	private void send(@Nullable Return unused) {
		if (unused != null) {
			answerOf(() -> unused.store.giveBack(this.name, unused.range))
				.whenComplete((done, failure) -> answered(unused, Boolean.TRUE.equals(done)));
		}
	}

	private void answered(Return unused, boolean done) {
		CompletableFuture<@Nullable Void> ended;
		this.lock.lock();
		try {
			if (this.operation != unused) {
				return;
			}
			this.operation = null;
			if (done) {
				this.returned += unused.range.count();
			}
			ended = this.releasing;
			this.releasing = null;
		}
		finally {
			this.lock.unlock();
		}
		unused.done.complete(null);
		if (ended != null) {
			ended.complete(null);
		}
	}

	private static <T> CompletionStage<T> answerOf(Supplier<CompletionStage<T>> request) {
		try {
			return request.get();
		}
		// An error too, such as that no thread could be created, must end the operation.
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private RuntimeException unavailable(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		if (cause instanceof HiLoUnavailableException || cause instanceof HiLoDocumentException) {
			return (RuntimeException) cause;
		}
		HiLoUnavailableException unavailable = new HiLoUnavailableException(describeFailure(String.valueOf(cause)));
		if (cause != null) {
			unavailable.initCause(cause);
		}
		return unavailable;
	}

	private String describeFailure(String why) {
		return "No range for sequence " + Quoted.name(this.name) + " of database " + Quoted.name(this.store.database())
				+ ": " + why;
	}

	/**
	 * Waiters share a failure; each throws an exception with a stack trace of its own.
	 */
	static RuntimeException copyOf(Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		return (failure instanceof HiLoDocumentException) ? new HiLoDocumentException(message, failure)
				: new HiLoUnavailableException(message, failure);
	}

	/**
	 * A number and the range that it came from.
	 */
	private record Issued(long number, RangeCursor range) {

		String documentId() {
			return this.range.documentId(this.number);
		}

	}

	/**
	 * What a caller got: a number, or what it has to wait for.
	 */
	private record Turn(@Nullable Issued issued, @Nullable CompletableFuture<@Nullable Void> awaited,
			@Nullable Reservation reservation) {

		CompletableFuture<@Nullable Void> until() {
			if (this.awaited == null) {
				throw new IllegalStateException("There is nothing to wait for");
			}
			return this.awaited;
		}

	}

	/**
	 * What is in flight. It ends exactly once, and never exceptionally.
	 */
	private abstract static class Operation {

		final RangeStore store;

		final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

		Operation(RangeStore store) {
			this.store = store;
		}

	}

	private static final class Reservation extends Operation {

		final RangeRequest request;

		/**
		 * What {@link RangeSequence#resets} was when it was sent.
		 */
		final int resets;

		int waiters;

		/**
		 * The numbers of its waiters, one for each, which no other caller can take.
		 */
		@Nullable RangeCursor claims;

		/**
		 * Written before {@link Operation#done} completes and read after.
		 */
		@Nullable RuntimeException failure;

		Reservation(RangeStore store, RangeRequest request, int resets) {
			super(store);
			this.request = request;
			this.resets = resets;
		}

	}

	private static final class Return extends Operation {

		final RangeReturn range;

		Return(RangeStore store, RangeReturn range) {
			super(store);
			this.range = range;
		}

	}

}
