package io.github.hilo.internal.store;

import java.util.List;

/**
 * The unissued end of a range, or of ranges that were granted directly one after the
 * other.
 *
 * @param newMax the number to which the counter is set: the one before the first number
 * that is returned
 * @param grants the grants of the reservation that ended at {@code max}
 */
public record RangeReturn(long newMax, long max, List<?> grants, Deadline deadline) {

	public long count() {
		return this.max - this.newMax;
	}

}
