package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * A position in a segment of a range, moved by any number of threads.
 * <p>
 * How it is safe: the only thing that changes is the count of takes. Each take gets an
 * offset of its own from one atomic addition and compares it with the segment's size, so
 * no number goes to two takers. The count is an offset from zero, not a number of the
 * range: takes that come too late push it past the size, and near {@link Long#MAX_VALUE}
 * a number would wrap where an offset can't. Sealing swaps in an offset far past any size
 * in one atomic step: what was taken before is what the seal reports, and every later
 * take finds the segment used up. There is no moment in which a number is both reported
 * as unissued and taken.
 * <p>
 * A range that has something to be done at its half is cut in two segments there: the
 * takes of the first one need no check of their own.
 */
final class RangeCursor {

	/**
	 * What {@link #take()} answers when the segment is used up or sealed. Ranges start at
	 * 1 or above.
	 */
	static final long NONE = 0;

	// Larger than any range, and so far below Long.MAX_VALUE that no number of late takes
	// can make it wrap.
	private static final long SEALED = 1L << 62;

	// Where the count lies in taken: what is around it keeps the cache line free of what
	// takers on other cores read. With two threads that is worth up to half of the
	// throughput.
	private static final int COUNT = 7;

	/**
	 * That of no range.
	 */
	static final RangeCursor EMPTY = new RangeCursor(
			new HeldRange(new ReservedRange(1, 0, "", List.of()), Instant.EPOCH, new DocumentIdFormat("", "", 1)), 1,
			0);

	private final AtomicLongArray taken = new AtomicLongArray(2 * COUNT + 1);

	private final long min;

	private final long size;

	private final HeldRange held;

	RangeCursor(HeldRange held, long min, long size) {
		this.held = held;
		this.min = min;
		this.size = size;
	}

	long take() {
		long offset = this.taken.getAndIncrement(COUNT);
		return (offset < this.size) ? this.min + offset : NONE;
	}

	/**
	 * Takes the next numbers at once: as many as asked for, or as far as {@link #end()}.
	 */
	long takeUpTo(int count) {
		long offset = this.taken.getAndAdd(COUNT, count);
		return (offset < this.size) ? this.min + offset : NONE;
	}

	/**
	 * Takes the next numbers at once, or none if fewer are left.
	 */
	long takeAll(int count) {
		long offset = this.taken.get(COUNT);
		while (offset + count <= this.size) {
			long before = this.taken.compareAndExchange(COUNT, offset, offset + count);
			if (before == offset) {
				return this.min + offset;
			}
			offset = before;
		}
		return NONE;
	}

	/**
	 * Ends the segment: no number is taken after this.
	 * @return the last number that was taken, or the one before the segment if none was
	 */
	long seal() {
		return lastTaken(this.taken.getAndSet(COUNT, SEALED));
	}

	String documentId(long number) {
		return this.held.documentId(number);
	}

	long lastTaken() {
		return lastTaken(this.taken.get(COUNT));
	}

	/**
	 * Whether a number was taken. Once it is sealed, its count tells nothing any more.
	 */
	boolean isPast(long number) {
		long offset = this.taken.get(COUNT);
		return offset < SEALED && number <= lastTaken(offset);
	}

	long min() {
		return this.min;
	}

	long end() {
		return this.min + this.size - 1;
	}

	ReservedRange range() {
		return this.held.range();
	}

	HeldRange held() {
		return this.held;
	}

	private long lastTaken(long offset) {
		return this.min - 1 + Math.min(offset, this.size);
	}

}
