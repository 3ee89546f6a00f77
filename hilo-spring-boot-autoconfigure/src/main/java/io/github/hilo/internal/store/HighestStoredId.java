package io.github.hilo.internal.store;

import io.github.hilo.HiLoIdGenerator;

/**
 * The highest number that stored ids have.
 *
 * @param number the number, or 0 if no id has one; at most
 * {@link HiLoIdGenerator#MAX_FLOOR}
 * @param place the field that has it, as it stands in a message, or an empty string
 */
public record HighestStoredId(long number, String place) {

	public static final HighestStoredId NONE = new HighestStoredId(0, "");

	public HighestStoredId or(HighestStoredId other) {
		return (other.number > this.number) ? other : this;
	}

}
