package io.github.hilo.mongodb;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/**
 * What a document has in a field, as a query sees it: the field may be in an embedded
 * document, and each value of an array counts.
 */
final class FieldValues {

	private FieldValues() {
	}

	/**
	 * Finds the values.
	 * @param path the field, as a query names it
	 */
	static Stream<BsonValue> of(BsonDocument document, String path) {
		Stream<BsonValue> values = Stream.of(document);
		for (String name : path.split("\\.", -1)) {
			values = values.filter(BsonValue::isDocument)
				.flatMap((parent) -> Stream.ofNullable(parent.asDocument().get(name)))
				.flatMap(FieldValues::each);
		}
		return values;
	}

	/**
	 * Finds the highest number that is finite and not negative.
	 */
	static Optional<BigDecimal> highestNumber(BsonDocument document, String path) {
		return of(document, path).filter(FieldValues::isFinite)
			.map(FieldValues::numberOf)
			.filter((number) -> number.signum() >= 0)
			.max(Comparator.naturalOrder());
	}

	private static Stream<BsonValue> each(BsonValue value) {
		return value.isArray() ? value.asArray().stream() : Stream.of(value);
	}

	private static boolean isFinite(BsonValue value) {
		return value.isDecimal128() ? value.asDecimal128().getValue().isFinite()
				: value.isNumber() && Double.isFinite(value.asNumber().doubleValue());
	}

	private static BigDecimal numberOf(BsonValue value) {
		if (value.isDouble()) {
			return new BigDecimal(value.asDouble().getValue());
		}
		if (!value.isDecimal128()) {
			return BigDecimal.valueOf(value.asNumber().longValue());
		}
		Decimal128 number = value.asDecimal128().getValue();
		// Only -0 is both negative and at least 0, and it has no BigDecimal.
		return number.isNegative() ? BigDecimal.ZERO : number.bigDecimalValue();
	}

}
