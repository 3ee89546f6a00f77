package io.github.hilo.internal.mongodb;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.mongodb.MongoClientSettings;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.bson.codecs.UuidCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.types.Binary;
import org.bson.types.Code;
import org.bson.types.CodeWithScope;
import org.bson.types.Decimal128;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.bson.types.ObjectId;
import org.bson.types.Symbol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link StoredValue}: a value of a document is read in the same way before it
 * is stored, as the application has it, and after, as the driver returns it.
 */
class StoredValueTests {

	private static final long EXACT_IN_A_DOUBLE = 1L << 53;

	private static final CodecRegistry CODECS = CodecRegistries.fromRegistries(
			CodecRegistries.fromCodecs(new UuidCodec(UuidRepresentation.STANDARD)),
			MongoClientSettings.getDefaultCodecRegistry());

	@ParameterizedTest
	@MethodSource({ "numbers", "endsOfTypes", "decimals", "texts", "others" })
	void isReadAlikeBeforeAndAfterItIsStored(Object value, @Nullable Object read) {
		assertThat(StoredValue.of(value)).isEqualTo(read);
		BsonDocument stored = new Document("value", value).toBsonDocument(BsonDocument.class, CODECS);
		assertThat(StoredValue.of(stored.get("value"))).isEqualTo(read);
	}

	static Stream<Arguments> numbers() {
		return Stream
			.of(5, 5L, 5.0, 5f, (short) 5, (byte) 5, new AtomicInteger(5), new AtomicLong(5), new BigDecimal("5.00"),
					Decimal128.parse("5"), Decimal128.parse("0.5E1"), Decimal128.parse("5.9"), 5.9, new BsonInt32(5),
					new BsonInt64(5), new BsonDouble(5), new BsonDecimal128(new Decimal128(5)))
			.map((value) -> arguments(value, 5L));
	}

	static Stream<Arguments> endsOfTypes() {
		return Stream.of(arguments(Integer.MAX_VALUE, (long) Integer.MAX_VALUE),
				arguments(Integer.MIN_VALUE, (long) Integer.MIN_VALUE), arguments(Long.MAX_VALUE, Long.MAX_VALUE),
				arguments(EXACT_IN_A_DOUBLE + 1, EXACT_IN_A_DOUBLE + 1),
				arguments((double) EXACT_IN_A_DOUBLE, EXACT_IN_A_DOUBLE), arguments(Double.MAX_VALUE, Long.MAX_VALUE),
				arguments(Double.POSITIVE_INFINITY, Long.MAX_VALUE), arguments(Double.NaN, 0L),
				arguments(Double.MIN_VALUE, 0L));
	}

	static Stream<Arguments> decimals() {
		return Stream.of(arguments(new Decimal128(EXACT_IN_A_DOUBLE + 1), EXACT_IN_A_DOUBLE + 1),
				arguments(new BigDecimal(EXACT_IN_A_DOUBLE + 1), EXACT_IN_A_DOUBLE + 1),
				arguments(new Decimal128(Long.MAX_VALUE - 1), Long.MAX_VALUE - 1),
				arguments(new Decimal128(Long.MAX_VALUE), Long.MAX_VALUE),
				arguments(Decimal128.parse("18446744073709551621"), Long.MAX_VALUE),
				arguments(Decimal128.parse("9.999999999999999999999999999999999E+6144"), Long.MAX_VALUE),
				arguments(Decimal128.parse("1E-6176"), 0L), arguments(Decimal128.parse("-5"), 0L),
				arguments(Decimal128.POSITIVE_INFINITY, Long.MAX_VALUE), arguments(Decimal128.NEGATIVE_INFINITY, 0L),
				arguments(Decimal128.NaN, 0L), arguments(Decimal128.NEGATIVE_NaN, 0L),
				arguments(Decimal128.NEGATIVE_ZERO, 0L), arguments(Decimal128.POSITIVE_ZERO, 0L));
	}

	static Stream<Arguments> texts() {
		return Stream
			.of("orders/5-A", new Symbol("orders/5-A"), new BsonString("orders/5-A"), new BsonSymbol("orders/5-A"))
			.map((value) -> arguments(value, "orders/5-A"));
	}

	static Stream<Arguments> others() {
		return Stream
			.<Object>of(true, Instant.EPOCH, new ObjectId(), new UUID(0, 5), new Binary(new byte[] { 5 }),
					new byte[] { 5 }, Pattern.compile("5"), new Code("5"), new CodeWithScope("5", new Document()),
					new MinKey(), new MaxKey(), List.of(5), Map.of("5", 5), new Document("five", 5),
					new BsonTimestamp(5), new BsonUndefined(), new BsonBoolean(true), new BsonBinary(new byte[] { 5 }),
					new BsonDbPointer("five", new ObjectId()))
			.map((value) -> arguments(value, null));
	}

	@ParameterizedTest
	@MethodSource
	void integerThatNoCodecStoresIsReadByItsDigits(BigInteger value, long read) {
		assertThat(StoredValue.of(value)).isEqualTo(read);
	}

	static Stream<Arguments> integerThatNoCodecStoresIsReadByItsDigits() {
		return Stream.of(arguments(BigInteger.valueOf(5), 5L),
				arguments(BigInteger.TWO.pow(64).add(BigInteger.TWO), Long.MAX_VALUE));
	}

}
