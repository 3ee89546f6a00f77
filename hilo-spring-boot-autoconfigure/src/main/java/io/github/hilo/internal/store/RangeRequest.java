package io.github.hilo.internal.store;

import java.util.List;

/**
 * A request for a range.
 *
 * @param size how many numbers, at least 1
 * @param least how many of them are enough, if an attempt may have used up numbers
 * @param floor the range must lie above it: the highest number that this process has
 * issued or still holds, or the initial value less one; at least 0
 * @param above the range must lie above it, too: the floor, or the last of the numbers
 * directly above the floor that the application has chosen
 * @param firstUse whether this process has issued no number of the sequence, so that a
 * missing counter is nothing to warn about
 * @param places where numbers of it will be used, as far as that is known: it is checked
 * there
 * @param deadline by when commands must have ended; once it is over, none is sent
 */
public record RangeRequest(long size, long least, long floor, long above, boolean firstUse, List<Place> places,
		Deadline deadline) {

	/**
	 * Creates a request for a range above the floor alone.
	 */
	public RangeRequest(long size, long least, long floor, boolean firstUse, List<Place> places, Deadline deadline) {
		this(size, least, floor, floor, firstUse, places, deadline);
	}

}
