package io.github.hilo.internal.mongodb;

import java.math.BigDecimal;
import java.math.BigInteger;

import org.bson.BsonDecimal128;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.types.Decimal128;
import org.bson.types.Symbol;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of documents as MongoDB compares them: numbers of all types with each
 * other, and symbols with strings.
 */
public final class StoredValue {

	private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

	private StoredValue() {
	}

	/**
	 * Returns the number or the text that a value of a document is, whether the value is
	 * one of Java or of BSON, or {@code null} if it is neither.
	 * @return a {@code String}, or a {@code Long}: rounded down, {@link Long#MAX_VALUE}
	 * if it is higher than that, and at most 0 if it is negative or not a number
	 */
	public static @Nullable Object of(@Nullable Object value) {
		if (value instanceof String || value instanceof Long) {
			return value;
		}
		if (value instanceof Number number) {
			return numberOf(number);
		}
		if (value instanceof BsonNumber number) {
			return (number instanceof BsonDecimal128 decimal) ? numberOf(decimal.getValue())
					: number.isDouble() ? numberOf(number.doubleValue()) : number.longValue();
		}
		return (value instanceof BsonString text) ? text.getValue() : (value instanceof BsonSymbol symbol)
				? symbol.getSymbol() : (value instanceof Symbol symbol) ? symbol.getSymbol() : null;
	}

	private static long numberOf(Number number) {
		if (number instanceof Decimal128 decimal) {
			return decimal.isNegative() || decimal.isNaN() ? 0
					: decimal.isInfinite() ? Long.MAX_VALUE : digitsOf(decimal.bigDecimalValue());
		}
		return (number instanceof BigDecimal decimal) ? digitsOf(decimal)
				: (number instanceof BigInteger integer) ? digitsOf(new BigDecimal(integer)) : number.longValue();
	}

	/**
	 * By the digits, because a double is exact only up to 2^53, and a longer number would
	 * lose its highest bits.
	 */
	private static long digitsOf(BigDecimal decimal) {
		return (decimal.compareTo(MAX) >= 0) ? Long.MAX_VALUE : (decimal.signum() < 0) ? 0 : decimal.longValue();
	}

}
