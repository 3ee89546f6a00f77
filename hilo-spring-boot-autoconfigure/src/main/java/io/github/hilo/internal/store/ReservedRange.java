package io.github.hilo.internal.store;

import java.util.List;

/**
 * A range that only this process may issue.
 *
 * @param min the lowest number, at least 1
 * @param serverPrefix what precedes the number in a document id, or an empty string
 * @param grants the grant of this reservation, which no other one has, followed by the
 * grant of the write before, if there is one
 * @param plain whether the first command of the reservation has granted it, so that the
 * counter needed no repair, and no outcome was unknown
 */
public record ReservedRange(long min, long max, String serverPrefix, List<?> grants, boolean plain) {

	/**
	 * Creates a range that the first command has granted.
	 */
	public ReservedRange(long min, long max, String serverPrefix, List<?> grants) {
		this(min, max, serverPrefix, grants, true);
	}

	/**
	 * Returns whether nothing was granted between another range and this one, so that one
	 * return can cover both.
	 */
	public boolean isDirectlyOnTopOf(ReservedRange other) {
		return this.min == other.max + 1 && this.grants.size() > 1 && other.grants.indexOf(this.grants.get(1)) == 0;
	}

	public long size() {
		return this.max - this.min + 1;
	}

}
