package io.github.hilo;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A position in one range, moved by any number of threads.
 * <p>
 * How it is safe: the only shared state is the count of takes. Each take gets an offset
 * of its own from one atomic addition and compares it with the range's size, so no number
 * goes to two takers. The count is an offset from zero, not a number of the range: takes
 * that come too late push it past the size, and near {@link Long#MAX_VALUE} a number
 * would wrap where an offset can't. Sealing swaps in an offset far past any size in one
 * atomic step: what was taken before is what the seal reports, and every later take finds
 * the range used up. There is no moment in which a number is both reported as unissued
 * and taken.
 */
final class RangeCursor {

	/**
	 * What {@link #take()} answers when the range is used up or sealed. Ranges start at 1
	 * or above.
	 */
	static final long NONE = 0;

	/**
	 * Larger than any range, and so far below {@link Long#MAX_VALUE} that no number of
	 * late takes can make it wrap.
	 */
	private static final long SEALED = 1L << 62;

	private final long min;

	private final long size;

	private final ReservedRange range;

	private final Instant reservedAt;

	private final String idHead;

	private final String idTail;

	private final AtomicLong taken = new AtomicLong();

	/**
	 * Creates a cursor at the start of a range.
	 * @param range the range
	 * @param reservedAt when the range was reserved
	 * @param idHead what precedes the number in a document id of this range
	 * @param idTail what follows the number in a document id of this range
	 */
	RangeCursor(ReservedRange range, Instant reservedAt, String idHead, String idTail) {
		this.min = range.min();
		this.size = range.size();
		this.range = range;
		this.reservedAt = reservedAt;
		this.idHead = idHead;
		this.idTail = idTail;
	}

	/**
	 * Creates a cursor that has nothing to issue.
	 * @return the cursor
	 */
	static RangeCursor empty() {
		return new RangeCursor(new ReservedRange(1, 0, "", ""), Instant.EPOCH, "", "");
	}

	/**
	 * Takes the next number.
	 * @return the number, or {@link #NONE}
	 */
	long take() {
		long offset = this.taken.getAndIncrement();
		return (offset < this.size) ? this.min + offset : NONE;
	}

	/**
	 * Ends the range: no number is taken after this.
	 * @return the last number that was taken, or the one before the range if none was
	 */
	long seal() {
		return lastTaken(this.taken.getAndSet(SEALED));
	}

	/**
	 * Formats a number of this range.
	 * @param number a number that {@link #take()} of this cursor answered
	 * @return the document id, with the prefix and tag of this range
	 */
	String documentId(long number) {
		return this.idHead + number + this.idTail;
	}

	long lastTaken() {
		return lastTaken(this.taken.get());
	}

	ReservedRange range() {
		return this.range;
	}

	Instant reservedAt() {
		return this.reservedAt;
	}

	private long lastTaken(long offset) {
		return this.min - 1 + Math.min(offset, this.size);
	}

}
