package io.github.hilo.mongodb;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a counter document's {@code Max}, and what can be done with it.
 *
 * @param kind what it is
 * @param value the number that it stands for, or 0 where it stands for none
 */
record MaxField(Kind kind, long value) {

	/**
	 * Below it every integral double stands for exactly one integer.
	 */
	private static final double EXACT_DOUBLES = 1L << 53;

	enum Kind {

		/**
		 * An int32 or int64 of at least 0, which {@code $inc} can count up.
		 */
		COUNTABLE,

		/**
		 * An integral double of at least 0, as the mongo shell writes them.
		 */
		REWRITABLE,

		/**
		 * Anything else, or nothing.
		 */
		MALFORMED

	}

	static MaxField of(@Nullable BsonValue max) {
		if (max != null && (max.isInt32() || max.isInt64())) {
			long value = max.asNumber().longValue();
			return (value >= 0) ? new MaxField(Kind.COUNTABLE, value) : new MaxField(Kind.MALFORMED, 0);
		}
		if (max != null && max.isDouble()) {
			double value = max.asDouble().getValue();
			if (value >= 0 && value < EXACT_DOUBLES && value == Math.rint(value)) {
				return new MaxField(Kind.REWRITABLE, (long) value);
			}
		}
		return new MaxField(Kind.MALFORMED, 0);
	}

	/**
	 * Describes a value that can't be counted up.
	 * @param document the document that was found
	 * @return what stands in {@code Max}, for a message
	 */
	static String describe(BsonDocument document) {
		BsonValue max = document.get(CounterDocument.MAX);
		return (max == null) ? "there is no field Max"
				: "Max is " + BsonText.of(max) + " (" + BsonText.typeOf(max) + ")";
	}

}
