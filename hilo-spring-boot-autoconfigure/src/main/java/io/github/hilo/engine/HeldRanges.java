package io.github.hilo.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence holds: the range that numbers are taken from, the one that follows it
 * if it was reserved already, and what is to be remembered of those before.
 * <p>
 * How it is safe: {@link #current} is the only thing that the quick path reads, and its
 * cursor alone decides who gets a number. Everything else is guarded by the lock of the
 * {@link RangeSequence}, and so is every method.
 * <p>
 * A sequence is busy once it has used up a range within {@code hilo.range.grow-within},
 * until one lasts longer than {@code hilo.range.shrink-after}: sizes settle between the
 * two, and there too nobody should have to wait. Half-way through the range that follows,
 * the next one is requested in the background, and kept in {@link #next} until it is
 * needed. So the quick path has nothing to check for this, the range of a busy sequence
 * is cut in two segments at its half.
 */
abstract class HeldRanges {

	/**
	 * How long after a first failure prefetching is tried again; each further one doubles
	 * it, up to 256 times as long.
	 */
	private static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/**
	 * What precedes the number in a document id where there is no server prefix.
	 */
	private final String idHead;

	private final String idTail;

	final HiLoSettings settings;

	private final long initialValue;

	final TimeSource time;

	private final RangeSizing sizing;

	volatile RangeCursor current = RangeCursor.empty();

	/**
	 * The range that follows the current one, if it was reserved already.
	 */
	private RangeCursor.@Nullable Held next;

	private boolean busy;

	private long currentSinceNanos;

	private int failures;

	private long retryPrefetchNanos;

	/**
	 * What the counter was raised to: no number up to it is issued any more.
	 */
	private long raised;

	/**
	 * The highest number issued from ranges that are no longer current.
	 */
	private long lastIssued;

	private long issued;

	private long issuedBeforeReset;

	private long reserved;

	private long reservations;

	private SequenceSnapshot.@Nullable Failure lastFailure;

	private boolean lastReservationFailed;

	HeldRanges(String name, HiLoSettings settings, TimeSource time) {
		HiLoSettings.SequenceSettings own = settings.sequences().apply(name);
		this.settings = settings;
		this.idHead = name + settings.identityPartsSeparator();
		// One string for all sequences, of which there may be many.
		this.idTail = settings.nodeTag().isEmpty() ? "" : ("-" + settings.nodeTag()).intern();
		this.initialValue = own.initialValue();
		this.time = time;
		this.sizing = new RangeSizing(own.initialSize(), own.maxSize(), settings.growWithin(), settings.shrinkAfter(),
				settings.maxGrowth());
	}

	boolean hasNumber() {
		return this.next != null || this.current.lastTaken() < this.current.range().max();
	}

	@Nullable IssuedNumber take() {
		do {
			RangeCursor cursor = this.current;
			long number = cursor.take();
			if (number != RangeCursor.NONE) {
				return new IssuedNumber(number, cursor);
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
		return (held != null) ? startRange(held) : null;
	}

	/**
	 * Takes what is held for a block.
	 * @return whether it was enough
	 */
	boolean fill(NumberBlock block) {
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

	RangeCursor rest(RangeCursor cursor) {
		long left = cursor.range().max() - cursor.end();
		// While prefetching fails, pieces: each end is an occasion to try again.
		return cursor.rest(cursor.end() + 1, (this.failures > 0) ? (left + 1) / 2 : left);
	}

	/**
	 * Whether the next range should be requested now, in the background.
	 */
	boolean isPrefetchDue() {
		RangeCursor cursor = this.current;
		long nowNanos = this.time.nanoTime();
		return this.busy && this.next == null
				&& cursor.lastTaken() - cursor.range().min() + 1 >= halfOf(cursor.range().size())
				&& nowNanos - this.currentSinceNanos <= this.settings.shrinkAfter().toNanos()
				&& (this.failures == 0 || nowNanos - this.retryPrefetchNanos >= 0);
	}

	private static long halfOf(long size) {
		return size - size / 2;
	}

	/**
	 * How long the current range has lasted, or will have when the rest of it is used up
	 * at the same pace.
	 */
	long lastedNanos() {
		ReservedRange range = this.current.range();
		long taken = this.current.lastTaken() - range.min() + 1;
		double rangesTaken = (taken > 0) ? (double) taken / range.size() : 1;
		return (long) ((this.time.nanoTime() - this.currentSinceNanos) / rangesTaken);
	}

	/**
	 * Ends the current range, which is used up.
	 * @param held the range that follows
	 * @return the cursor of its first segment
	 */
	RangeCursor startRange(RangeCursor.Held held) {
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

	/**
	 * Drops the ranges that hold a number up to the floor. They can't go back: the
	 * counter has another grant now.
	 */
	void discardUpTo(long floor) {
		this.raised = Math.max(this.raised, floor);
		if (this.next != null && this.next.range().min() <= floor) {
			this.next = null;
		}
		RangeCursor cursor = this.current;
		if (cursor.lastTaken() < Math.min(floor, cursor.range().max())) {
			seal();
		}
	}

	/**
	 * Seals what is held and holds nothing.
	 * @param timeout by when the store has to answer what goes back
	 * @return what can go back: the unissued numbers that end at the latest grant
	 */
	@Nullable RangeReturn sealAll(Duration timeout) {
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
		return (last < top.max()) ? new RangeReturn(last, top.max(), top.grant(), timeout) : null;
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
			this.lastIssued = Math.max(this.lastIssued, last);
			this.issued += last - cursor.range().min() + 1;
		}
		return last;
	}

	private static SequenceSnapshot.@Nullable Range snapshot(ReservedRange range, Instant reservedAt, long last) {
		return (range.size() == 0) ? null
				: new SequenceSnapshot.Range(range.min(), range.max(), (last < range.min()) ? null : last,
						range.max() - last, reservedAt, range.serverPrefix().isEmpty() ? null : range.serverPrefix());
	}

	/**
	 * Counts a range that was reserved.
	 * @param usualSize how large a range the demand asked for, or 0 where it says nothing
	 * of the demand
	 * @return the range, to become the current or the next one, or {@code null} if none
	 * of it may be used: a raise that was forgotten has been carried out meanwhile
	 */
	RangeCursor.@Nullable Held reserved(ReservedRange range, long usualSize) {
		this.reservations++;
		this.reserved += range.size();
		this.failures = 0;
		this.lastReservationFailed = false;
		if (usualSize > 0) {
			this.sizing.reserved(usualSize);
		}
		if (range.min() <= this.raised) {
			return null;
		}
		String prefix = range.serverPrefix();
		return new RangeCursor.Held(range, this.time.now(), prefix.isEmpty() ? this.idHead : this.idHead + prefix,
				this.idTail);
	}

	/**
	 * Keeps a range until the current one is used up.
	 * @return whether that is not the case already
	 */
	boolean keepForLater(RangeCursor.Held held) {
		boolean later = this.current.lastTaken() < this.current.range().max();
		if (later) {
			this.next = held;
		}
		return later;
	}

	/**
	 * Remembers that a reservation failed.
	 */
	void failed(RuntimeException failure) {
		this.lastFailure = new SequenceSnapshot.Failure(this.time.now(), String.valueOf(failure.getMessage()));
		this.lastReservationFailed = true;
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
	 * How many numbers the next range should have.
	 */
	long nextSize() {
		return this.sizing.nextSize(lastedNanos());
	}

	/**
	 * How many numbers this process, or this copy of it, has issued.
	 */
	long issuedSinceReset() {
		RangeCursor cursor = this.current;
		return this.issued + cursor.lastTaken() - cursor.range().min() + 1 - this.issuedBeforeReset;
	}

	/**
	 * This process may be a copy from now on, which has issued nothing.
	 */
	void resetIssued() {
		this.issuedBeforeReset = this.issued;
	}

	/**
	 * The highest number that this process has issued, holds or must not issue, or 0.
	 */
	long highestKnown() {
		return Math.max(Math.max(this.lastIssued, this.raised),
				(this.next != null) ? this.next.range().max() : this.current.range().max());
	}

	/**
	 * What the next range has to lie above.
	 */
	long floor() {
		return Math.max(this.initialValue - 1, highestKnown());
	}

	SequenceHealth health() {
		RangeCursor cursor = this.current;
		long remaining = cursor.range().max() - cursor.lastTaken()
				+ ((this.next != null) ? this.next.range().size() : 0);
		return new SequenceHealth(remaining, (this.lastReservationFailed && remaining == 0) ? this.lastFailure : null);
	}

	/**
	 * Shows what is held.
	 * @param document the counter document's {@code _id}
	 * @param returned how many numbers went back
	 */
	SequenceSnapshot snapshot(String document, long returned) {
		RangeCursor cursor = this.current;
		long last = cursor.lastTaken();
		long taken = last - cursor.range().min() + 1;
		return new SequenceSnapshot(document, snapshot(cursor.range(), cursor.reservedAt(), last),
				(this.next != null) ? snapshot(this.next.range(), this.next.reservedAt(), this.next.range().min() - 1)
						: null,
				this.sizing.nextSize(this.time.nanoTime() - this.currentSinceNanos), this.issued + taken, this.reserved,
				returned, this.reservations, this.lastFailure);
	}

}
