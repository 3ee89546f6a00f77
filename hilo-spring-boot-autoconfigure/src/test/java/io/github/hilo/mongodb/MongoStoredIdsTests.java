package io.github.hilo.mongodb;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for reading ids that are stored already.
 */
class MongoStoredIdsTests {

	private final TestDatabase database = new TestDatabase();

	private final MongoStoredIds ids = new MongoStoredIds(this.database.client().getDatabase(this.database.name()));

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@ParameterizedTest
	@MethodSource
	void highestNumberIsFoundAmongAllTypesOfNumbers(List<Object> stored, @Nullable BigDecimal highest) {
		store(stored);
		BigDecimal found = this.ids.highestNumber("orders");
		if (highest == null) {
			assertThat(found).isNull();
		}
		else {
			assertThat(found).isEqualByComparingTo(highest);
		}
	}

	static Stream<Arguments> highestNumberIsFoundAmongAllTypesOfNumbers() {
		return Stream.of(arguments(List.of(), null), arguments(List.of(41), new BigDecimal(41)),
				arguments(List.of(1, 9L, 10L, 2), BigDecimal.TEN),
				arguments(List.of(7, 8.5, 3L), new BigDecimal("8.5")),
				arguments(List.of(7, Decimal128.parse("12.25")), new BigDecimal("12.25")),
				arguments(List.of(1, Long.MAX_VALUE), new BigDecimal(Long.MAX_VALUE)),
				arguments(List.of(1, 1e20), new BigDecimal("1e20")),
				arguments(List.of(3, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY),
						new BigDecimal(3)),
				arguments(List.of(3, Double.NaN, Decimal128.POSITIVE_INFINITY), new BigDecimal(3)),
				arguments(List.of(Double.NaN, Double.POSITIVE_INFINITY), null), arguments(List.of(-5, -1L, -0.5), null),
				arguments(List.of(Decimal128.parse("-0")), BigDecimal.ZERO),
				arguments(List.of("99", "orders/99-A", new ObjectId(), new Document("a", 99)), null),
				arguments(List.of(4, "99", "orders/99-A", new ObjectId(), new Document("a", 99)), new BigDecimal(4)));
	}

	@Test
	void textsAreThoseThatBeginWithThePrefix() {
		store(List.of("orders/1-A", "orders/", "orders/~", "orders/\uD83D\uDE00", "orders", "orders0", "orders.",
				"Orders/1", "order/1", "ordersx/1", "lines/1-A", 5, new ObjectId(), new Document("_id", "orders/1-A")));
		assertThat(texts("orders/")).containsExactlyInAnyOrder("orders/1-A", "orders/", "orders/~",
				"orders/\uD83D\uDE00");
		assertThat(texts("nothing/")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { ":", " ", "\uD7FF", "\uFFFD", "/", "x/", "\uD83D\uDE00" })
	void prefixMayEndInAnyCharacter(String separator) {
		store(List.of("orders" + separator + "1", "orders!1", "orders~1", "orders1"));
		assertThat(texts("orders" + separator)).containsExactly("orders" + separator + "1");
	}

	@Test
	void moreTextsThanOneBatchAreAllVisited() {
		store(IntStream.rangeClosed(1, 1000).mapToObj((number) -> "orders/" + number + "-A").toList());
		assertThat(texts("orders/")).hasSize(1000).doesNotHaveDuplicates();
	}

	@Test
	void highestNumberTakesOneLookIntoTheIndex() {
		store(List.of(1, 2));
		this.ids.highestNumber("orders");
		assertThat(finds()).singleElement().satisfies((find) -> {
			assertThat(find.getDocument("filter")).isEqualTo(BsonDocument.parse("{_id: {$gte: 0}}"));
			assertThat(find.getDocument("sort")).isEqualTo(BsonDocument.parse("{_id: -1}"));
			assertThat(find.getInt32("limit").getValue()).isEqualTo(3);
		});
		assertThat(finds()).allSatisfy(MongoStoredIdsTests::requireCoveredAndLocal);
	}

	@Test
	void textsTakeAWalkAlongTheIndexUnderBinaryComparison() {
		store(List.of("orders/1-A"));
		texts("orders/");
		assertThat(finds()).singleElement().satisfies((find) -> {
			assertThat(find.getDocument("filter"))
				.isEqualTo(BsonDocument.parse("{_id: {$gte: 'orders/', $lt: 'orders0'}}"));
			assertThat(find.getDocument("collation").getString("locale").getValue()).isEqualTo("simple");
		});
		assertThat(finds()).allSatisfy(MongoStoredIdsTests::requireCoveredAndLocal);
	}

	@Test
	void serverThatDoesNotAnswerIsNamedWithWhatWasRead() {
		try (MongoClient client = MongoClients.create("mongodb://localhost:1/?serverSelectionTimeoutMS=100")) {
			MongoStoredIds unreachable = new MongoStoredIds(client.getDatabase("shop"));
			assertThatExceptionOfType(HiLoUnavailableException.class)
				.isThrownBy(() -> unreachable.highestNumber("orders"))
				.withMessageContainingAll("'orders'", "'shop'", "could not be read");
			assertThatExceptionOfType(HiLoUnavailableException.class)
				.isThrownBy(() -> unreachable.forEachText("orders", "orders/", (id) -> {
				}));
		}
	}

	private static void requireCoveredAndLocal(BsonDocument find) {
		assertThat(find.getDocument("projection")).isEqualTo(BsonDocument.parse("{_id: 1}"));
		assertThat(find.getDocument("readConcern")).isEqualTo(BsonDocument.parse("{level: 'local'}"));
	}

	private List<BsonDocument> finds() {
		return this.database.commands().named("find");
	}

	private List<String> texts(String prefix) {
		List<String> texts = new ArrayList<>();
		this.ids.forEachText("orders", prefix, texts::add);
		return texts;
	}

	private void store(List<?> ids) {
		MongoCollection<Document> orders = MongoTestServer.client()
			.getDatabase(this.database.name())
			.getCollection("orders");
		ids.forEach((id) -> orders.insertOne(new Document("_id", id)));
	}

}
