package io.github.hilo.internal.stored;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.mongodb.DriverStoreCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for reading ids that are stored already.
 */
class StoredIdReaderTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final long BEYOND = HiLoIdGenerator.MAX_FLOOR + 1;

	private final TestDatabase database = new TestDatabase();

	private final CheckedSequence sequence = new CheckedSequence("orders", "sequence 'orders'",
			TestDatabase.storeSettings(true), TimeSource.SYSTEM, new HashSet<>());

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@ParameterizedTest
	@MethodSource
	void highestNumberIsFoundAmongAllTypesOfNumbers(List<Object> stored, long highest) {
		store(stored);
		assertThat(highest(scope(true, false))).isEqualTo(highest);
	}

	static Stream<Arguments> highestNumberIsFoundAmongAllTypesOfNumbers() {
		return Stream.of(arguments(List.of(), 0), arguments(List.of(41), 41), arguments(List.of(1, 9L, 10L, 2), 10),
				arguments(List.of(7, 8.5, 3L), 8), arguments(List.of(7, Decimal128.parse("12.25")), 12),
				arguments(List.of(Decimal128.parse("9007199254740993")), 9007199254740993L),
				arguments(List.of(1, HiLoIdGenerator.MAX_FLOOR), HiLoIdGenerator.MAX_FLOOR),
				arguments(List.of(3, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY), 3),
				arguments(List.of(3, Decimal128.POSITIVE_INFINITY), 3), arguments(List.of(Double.POSITIVE_INFINITY), 0),
				arguments(List.of(-5, -1L, -0.5), 0), arguments(List.of(Decimal128.parse("-0")), 0),
				arguments(List.of("x99", "orders/99-A", new ObjectId(), new Document("a", 99)), 0),
				arguments(List.of(4, "x99", "orders/99-A", new ObjectId(), new Document("a", 99)), 4));
	}

	@ParameterizedTest
	@MethodSource
	void idBeyondTheEndOfAllCountersIsLeftOutOfAccount(Object id) {
		store(List.of(5, "orders/6-A", id));
		long highest = highest(scope(true, true));
		assertThat(highest).isEqualTo(6);
	}

	static Stream<Object> idBeyondTheEndOfAllCountersIsLeftOutOfAccount() {
		return Stream.of(BEYOND, Long.MAX_VALUE, 1e300, "orders/" + BEYOND + "-A", "orders/eu/99999999999999999999-A");
	}

	@Test
	void highestNumberTakesOneEntryOfTheIndex() {
		store(List.of(1, 2));
		highest(scope(true, false));
		assertThat(finds()).hasSize(1).allSatisfy((find) -> {
			assertThat(find.getDocument("filter"))
				.isEqualTo(new BsonDocument("_id", new BsonDocument("$gt", new BsonInt64(0)).append("$lte",
						new BsonInt64(HiLoIdGenerator.MAX_FLOOR))));
			assertThat(find.getDocument("sort")).isEqualTo(BsonDocument.parse("{_id: -1}"));
			assertThat(find.getInt32("limit").getValue()).isEqualTo(1);
		});
		assertThat(finds()).allSatisfy(StoredIdReaderTests::requireCoveredAndLocal);
	}

	private static void requireCoveredAndLocal(BsonDocument find) {
		assertThat(find.getDocument("projection")).isEqualTo(BsonDocument.parse("{_id: 1}"));
		assertThat(find.getDocument("readConcern")).isEqualTo(BsonDocument.parse("{level: 'local'}"));
	}

	private List<BsonDocument> finds() {
		return this.database.commands().ofKind("find");
	}

	private long highest(List<Place> scope) {
		StoredIdReader reader = new StoredIdReader(
				new DriverStoreCommands(() -> this.database.client().getDatabase(this.database.name()), "@hilo",
						Runnable::run, TestDatabase.TASKS),
				this.sequence, scope, new Deadline(TIMEOUT, TimeSource.SYSTEM));
		return reader.highestNumbers(0)
			.thenCombine(reader.highestTexts(""),
					(numbers, texts) -> Math.max(StoredId.highest(numbers), StoredId.highest(texts)))
			.toCompletableFuture()
			.join();
	}

	private static List<Place> scope(boolean numbers, boolean texts) {
		return Stream.of(false, true)
			.filter((text) -> text ? texts : numbers)
			.map((text) -> new Place("orders", Place.ID, text, true))
			.toList();
	}

	private void store(List<?> ids) {
		MongoCollection<Document> orders = MongoTestServer.client()
			.getDatabase(this.database.name())
			.getCollection("orders");
		ids.forEach((id) -> orders.insertOne(new Document("_id", id)));
	}

}
