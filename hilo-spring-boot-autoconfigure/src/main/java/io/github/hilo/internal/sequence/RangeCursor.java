package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * Issues the numbers of one segment of a range, to any number of threads and without a
 * lock.
 * <p>
 * How it is safe: only the count of takes changes, an element of {@code taken}. Each take
 * gets an offset of its own from one atomic addition and compares the offset with the
 * segment's size, so no number goes to two callers. The count is an offset from zero,
 * because takes that come too late raise it beyond the size, and a count of numbers near
 * {@link Long#MAX_VALUE} would overflow. {@link #seal()} replaces the count in one atomic
 * step by an offset far beyond any size. It returns the last number taken before, and
 * every later take finds the segment used up. So no number is both reported as unissued
 * and taken.
 * <p>
 * If a range needs attention at its half, it is cut into two segments there, so takes
 * need no check for that.
 */
final class RangeCursor {

	/**
	 * What a take returns if the segment is used up or sealed. Ranges start at 1 or
	 * above.
	 */
	static final long NONE = 0;

	// Larger than any range, and so far below Long.MAX_VALUE that no number of late takes
	// can make the count overflow.
	private static final long SEALED = 1L << 62;

	// The index of the count in taken. The elements around it keep its cache line free of
	// what takers on other cores read, which gains up to half of the throughput with two
	// threads.
	private static final int COUNT = 7;

	/**
	 * The cursor of a sequence that holds no range.
	 */
	static final RangeCursor EMPTY = new RangeCursor(new HeldRange(new ReservedRange(1, 0, "", List.of()),
			Instant.EPOCH, new DocumentIdFormat("", "", 1), Places.NONE), 1, 0);

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
	 * Takes the next numbers at once, or none if fewer are left than requested.
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
	 * Ends the segment, so that no number is taken any more.
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
	 * Returns whether a number lies at or below the last one that was taken. The count of
	 * a sealed cursor says nothing, so the result is {@code false} then.
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
