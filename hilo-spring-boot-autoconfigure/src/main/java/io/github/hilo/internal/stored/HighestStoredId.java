package io.github.hilo.internal.stored;

import io.github.hilo.HiLoIdGenerator;

/**
 * The highest number that stored ids have.
 *
 * @param number the number, or 0 if no id has one; at most
 * {@link HiLoIdGenerator#MAX_FLOOR}
 * @param place the field that has it, as it stands in a message, or an empty string
 */
record HighestStoredId(long number, String place) {

	static final HighestStoredId NONE = new HighestStoredId(0, "");

	HighestStoredId or(HighestStoredId other) {
		return (other.number > this.number) ? other : this;
	}

}
