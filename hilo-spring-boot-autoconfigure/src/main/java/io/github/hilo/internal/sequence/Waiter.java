package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * A caller that requests numbers, waits if there are too few, and gets all of them at
 * once, in as few runs of consecutive numbers as the ranges allow.
 * <p>
 * How it is safe: {@code settled} changes once, in one atomic step. Either the sequence
 * changes it, with numbers or a failure for the caller, or the caller does, who gives up.
 * So the sequence sets no number aside for a caller that has left. Only the caller uses
 * {@code runs} and {@code missing} or, while the caller waits, the sequence under its
 * lock, which also guards the arrival and the phases. The other fields are final.
 */
public final class Waiter {

	private final int count;

	private final @Nullable Place place;

	// In how many places of the sequence the range must be covered, if the caller has
	// none.
	private final int placesToCover;

	private final @Nullable Deadline deadline;

	// Through which the caller's commands are sent, or null for that of the sequence.
	private final @Nullable RangeStore store;

	private final List<Run> runs = new ArrayList<>(1);

	private int missing;

	private final AtomicBoolean settled = new AtomicBoolean();

	private final CompletableFuture<Waiter> answer = new CompletableFuture<>();

	// The thread that asks, if it must not wait.
	private @Nullable Asker asker;

	// How a block whose numbers must be adjacent looks for them.
	private @Nullable RoomSearch search;

	private long arrival;

	// How long the caller waited in each phase that has ended.
	private final Map<Deadline.Phase, Duration> waits = new EnumMap<>(Deadline.Phase.class);

	// What the caller waits for now, and since when.
	private Deadline.@Nullable Phase phase;

	private long phaseBeganNanos;

	// The deadline of the find that the caller waits for, and how long that find had
	// waited to be sent before.
	private @Nullable Deadline find;

	private Duration findWaitedBefore = Duration.ZERO;

	/**
	 * @param count how many numbers the caller needs, or 0 if only a range is to be held
	 * @param place where the numbers will be stored, or {@code null} if any number will
	 * do
	 * @param deadline learns what the caller waits for
	 */
	Waiter(int count, @Nullable Place place, @Nullable Deadline deadline) {
		this(count, place, 0, deadline, null);
	}

	/**
	 * @param placesToCover in how many places of the sequence the range must be covered,
	 * if the caller has none
	 * @param store the store that the caller brings
	 */
	Waiter(int count, @Nullable Place place, int placesToCover, @Nullable Deadline deadline,
			@Nullable RangeStore store) {
		this.count = count;
		this.place = place;
		this.placesToCover = placesToCover;
		this.deadline = deadline;
		this.store = store;
		this.missing = count;
	}

	/**
	 * Returns a caller who wants a range to be held, and to be covered in a place.
	 */
	static Waiter forRange(@Nullable Place place) {
		return new Waiter(0, place, null);
	}

	/**
	 * Returns a caller whose numbers may go to any of the first places of the sequence.
	 */
	static Waiter withoutPlace(int count, int placesToCover, @Nullable Deadline deadline) {
		return new Waiter(count, null, placesToCover, deadline, null);
	}

	/**
	 * Returns the same caller, who brings a store. Call this before the caller asks.
	 */
	Waiter by(@Nullable RangeStore brought) {
		return new Waiter(this.count, this.place, this.placesToCover, this.deadline, brought);
	}

	/**
	 * Returns the store that the caller has brought.
	 * @param own the store of the sequence
	 */
	@Nullable RangeStore storeOr(@Nullable RangeStore own) {
		return (this.store != null) ? this.store : own;
	}

	/**
	 * Returns in how many of the first places of the sequence a range must be covered for
	 * a caller without a place.
	 */
	int placesToCover() {
		return this.placesToCover;
	}

	void askedBy(Asker caller) {
		this.asker = caller;
	}

	/**
	 * Records that a step has seen a call whose thread does not wait.
	 */
	void arrived() {
		if (this.asker != null) {
			this.asker.stopAsking();
		}
	}

	@Nullable Asker asker() {
		return this.asker;
	}

	@Nullable Place place() {
		return this.place;
	}

	int count() {
		return this.count;
	}

	boolean isTaking() {
		return this.count > 0;
	}

	boolean isBlock() {
		return this.count > 1;
	}

	/**
	 * Returns how many numbers must be held for the caller. One that takes none wants a
	 * range with one number at least.
	 */
	long toBeHeld() {
		return Math.max(1, this.count);
	}

	/**
	 * Records that the caller waits for a range, unless it does so already.
	 */
	void awaitRange(long nowNanos) {
		enter(Deadline.Phase.RANGE, null, nowNanos);
	}

	/**
	 * Records that the caller waits for a find, unless it does so already.
	 */
	void awaitFind(Deadline find, long nowNanos) {
		enter(Deadline.Phase.CHECK, find, nowNanos);
	}

	private void enter(Deadline.Phase next, @Nullable Deadline nextFind, long nowNanos) {
		if (next != this.phase || nextFind != this.find) {
			endPhase(nowNanos);
			this.phase = next;
			this.find = nextFind;
			this.phaseBeganNanos = nowNanos;
			this.findWaitedBefore = findWaited();
			if (this.deadline != null) {
				this.deadline.enter(next);
				if (nextFind != null) {
					this.deadline.follow(nextFind);
				}
			}
		}
	}

	private Duration findWaited() {
		return (this.find != null) ? this.find.waited() : Duration.ZERO;
	}

	void awaitTurn() {
		if (this.deadline != null) {
			this.deadline.enter(Deadline.Phase.RANGE);
		}
	}

	void awaitAnswer() {
		if (this.deadline != null) {
			this.deadline.enter(Deadline.Phase.ANSWER);
		}
	}

	/**
	 * Ends the phase. Of a find that waited to be sent, that time is told apart.
	 */
	void endPhase(long nowNanos) {
		if (this.phase != null) {
			Duration inPhase = Duration.ofNanos(nowNanos - this.phaseBeganNanos);
			Duration inQueue = findWaited().minus(this.findWaitedBefore);
			if (!inQueue.isZero()) {
				this.waits.merge(Deadline.Phase.QUEUE, inQueue, Duration::plus);
			}
			// The step began before the queue's clock was read.
			Duration running = (inPhase.compareTo(inQueue) > 0) ? inPhase.minus(inQueue) : Duration.ZERO;
			this.waits.merge(this.phase, running, Duration::plus);
			this.phase = null;
		}
	}

	Map<Deadline.Phase, Duration> waits() {
		return this.waits;
	}

	@Nullable Deadline deadline() {
		return this.deadline;
	}

	/**
	 * Takes all missing numbers at once, without a lock, or none.
	 */
	boolean takeAllFrom(RangeCursor cursor) {
		return take(this.missing, cursor);
	}

	/**
	 * Takes the missing numbers, or as many as are left, from a cursor that no other
	 * thread has seen.
	 * @return whether no number is missing any more
	 */
	boolean takeFrom(RangeCursor cursor) {
		return take((int) Math.min(this.missing, cursor.end() - cursor.lastTaken()), cursor);
	}

	private boolean take(int wanted, RangeCursor cursor) {
		long first = cursor.takeAll(wanted);
		if (wanted > 0 && first != RangeCursor.NONE) {
			this.runs.add(new Run(first, first + (wanted - 1), cursor.held()));
			this.missing -= wanted;
		}
		return this.missing == 0;
	}

	List<Run> runs() {
		return this.runs;
	}

	public long first() {
		return this.runs.get(0).first();
	}

	public String firstDocumentId() {
		return this.runs.get(0).range().documentId(first());
	}

	public long[] numbers() {
		return this.runs.stream().flatMapToLong(Run::numbers).toArray();
	}

	public List<String> documentIds() {
		return this.runs.stream().flatMap(Run::documentIds).collect(Collectors.toCollection(ArrayList::new));
	}

	boolean isSettled() {
		return this.settled.get();
	}

	/**
	 * Returns how a block looks for adjacent numbers.
	 * @param maxSize the size of the largest range
	 */
	RoomSearch search(long maxSize) {
		if (this.search == null) {
			this.search = new RoomSearch(this.count, maxSize);
		}
		return this.search;
	}

	void arrive(long arrival) {
		this.arrival = arrival;
	}

	/**
	 * Returns the caller's position among all that ever waited, from 1, or 0 if the
	 * caller was served at once.
	 */
	long arrival() {
		return this.arrival;
	}

	/**
	 * Ends the wait, for the sequence or for the caller.
	 * @return whether this call ended it
	 */
	boolean settle() {
		return this.settled.compareAndSet(false, true);
	}

	/**
	 * Passes the numbers or a failure to the caller. Call this only if {@link #settle()}
	 * returned true, and without a lock, because it may run code of the caller.
	 * @return whether the caller had not given up meanwhile
	 */
	boolean complete(@Nullable RuntimeException failure) {
		return (failure != null) ? this.answer.completeExceptionally(failure) : this.answer.complete(this);
	}

	/**
	 * Returns the future that ends with the outcome, on the thread that calls
	 * {@link #complete}. A caller that completes it gives up.
	 */
	CompletableFuture<Waiter> answer() {
		return this.answer;
	}

	record Run(long first, long last, HeldRange range) {

		LongStream numbers() {
			return LongStream.rangeClosed(this.first, this.last);
		}

		Stream<String> documentIds() {
			return numbers().mapToObj(this.range::documentId);
		}

	}

}
