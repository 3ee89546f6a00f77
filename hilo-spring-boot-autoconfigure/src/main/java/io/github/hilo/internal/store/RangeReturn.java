package io.github.hilo.internal.store;

import java.util.List;

/**
 * The unissued end of a range.
 *
 * @param lastIssued what the counter goes back to: the number before the first that is
 * returned
 * @param grants those of the range, as its reservation was answered
 * @param deadline by when commands must have ended
 */
public record RangeReturn(long lastIssued, long max, List<?> grants, Deadline deadline) {

	public long count() {
		return this.max - this.lastIssued;
	}

}
