package io.github.hilo.store;

import io.github.hilo.HiLoIdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The highest number that stored ids have. Internal.
 *
 * @param number the number, or 0 if no id has one; at most
 * {@link HiLoIdGenerator#MAX_FLOOR}
 * @param place the field that has it, as it stands in a message, or an empty string
 * @param beyond an id whose number is higher than that, as it stands in a message, or
 * {@code null}
 * @hidden
 */
public record HighestStoredId(long number, String place, @Nullable String beyond) {

	public static final HighestStoredId NONE = new HighestStoredId(0, "", null);

	/**
	 * Returns the higher number of two, and an id beyond all floors if either has one.
	 */
	public HighestStoredId or(HighestStoredId other) {
		HighestStoredId higher = (other.number > this.number) ? other : this;
		return new HighestStoredId(higher.number, higher.place, (this.beyond != null) ? this.beyond : other.beyond);
	}

}
