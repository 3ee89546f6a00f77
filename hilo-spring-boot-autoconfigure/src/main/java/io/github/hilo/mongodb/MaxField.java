package io.github.hilo.mongodb;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a counter document's {@code Max}, if it can be counted up or rewritten.
 *
 * @param value the number that it stands for, at least 0
 * @param isDouble whether it is a double, as the mongo shell writes them, which must be
 * rewritten as an integer
 */
record MaxField(long value, boolean isDouble) {

	/**
	 * Below it every integral double stands for exactly one integer.
	 */
	private static final double EXACT_DOUBLES = 1L << 53;

	/**
	 * Reads an int32, an int64 or an integral double of at least 0.
	 * @return {@code null} for anything else, or nothing
	 */
	static @Nullable MaxField of(@Nullable BsonValue max) {
		if (max == null || !max.isNumber() || max.isDecimal128()) {
			return null;
		}
		long value = max.asNumber().longValue();
		boolean exact = !max.isDouble() || (value < EXACT_DOUBLES && max.asDouble().getValue() == value);
		return (value >= 0 && exact) ? new MaxField(value, max.isDouble()) : null;
	}

	/**
	 * Describes what stands in {@code Max}, for a message.
	 */
	static String describe(@Nullable BsonValue max) {
		return (max == null) ? "there is no field Max"
				: "Max is " + BsonText.of(max) + " (" + BsonText.typeOf(max) + ")";
	}

}
