package io.github.hilo.internal.sequence;

import java.time.Duration;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * How a block of a consecutive sequence looks for adjacent numbers among stored ones. Its
 * own ranges double, up to the larger of its size and the largest range. If
 * {@value #MOST_OF_THE_LARGEST} of that size have no room, the search has failed. Not
 * thread-safe: the lock of the sequence guards it.
 */
final class RoomSearch {

	/**
	 * How long other blocks of this size or more fail at once, so that a loop does not
	 * use up the numbers.
	 */
	static final Duration FAILURE_LASTS = Duration.ofMinutes(1);

	private static final int MOST_OF_THE_LARGEST = 4;

	private final long largest;

	private long size;

	private int ofTheLargest;

	private @Nullable HeldRange last;

	/**
	 * @param count how many numbers the block has
	 * @param maxSize the size of the largest range
	 */
	RoomSearch(long count, long maxSize) {
		this.size = count;
		this.largest = Math.max(count, maxSize);
	}

	/**
	 * Returns how large the next range must be.
	 */
	long size() {
		return this.size;
	}

	/**
	 * Records that a range has no room. More than one place can show it.
	 */
	void noRoomIn(HeldRange range) {
		if (range != this.last) {
			this.last = range;
			this.ofTheLargest += (range.range().size() >= this.largest) ? 1 : 0;
			this.size = Math.min(2 * range.range().size(), this.largest);
		}
	}

	boolean hasFailed() {
		return this.ofTheLargest >= MOST_OF_THE_LARGEST;
	}

	/**
	 * Says why blocks of so many numbers or more fail.
	 */
	String failure(int count, Place place, long stored) {
		return "a block of " + count + " numbers or more: the last " + MOST_OF_THE_LARGEST + " ranges, of "
				+ this.largest + " numbers each, had no " + "room for that many adjacent numbers: " + place.describe()
				+ " has " + stored + ". Ask for smaller blocks, or pass the stored numbers with ensureAtLeast";
	}

}
