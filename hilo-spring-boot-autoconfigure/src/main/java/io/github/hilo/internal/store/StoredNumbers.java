package io.github.hilo.internal.store;

/**
 * The highest numbers that documents of a place have, from one number of a range on.
 *
 * @param highestOfRange the highest of the range itself, or 0 if none has one
 * @param highest the highest of all that was found, at least as high
 */
public record StoredNumbers(long highestOfRange, long highest) {

	public static final StoredNumbers NONE = new StoredNumbers(0, 0);

	public StoredNumbers or(StoredNumbers other) {
		return new StoredNumbers(Math.max(this.highestOfRange, other.highestOfRange),
				Math.max(this.highest, other.highest));
	}

}
