package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link MongoRangeStore}: what it sends, and what it makes of what it finds.
 */
@ExtendWith(OutputCaptureExtension.class)
class MongoRangeStoreTests {

	/**
	 * For callers that count no repairs.
	 */
	static final Consumer<CounterRepair> UNHEARD = (cause) -> {
	};

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final TestDatabase database = new TestDatabase();

	private final RangeStores stores = newStores(this.database);

	private final RangeStore store = this.stores.current(soon());

	private final List<CounterRepair> repairs = new ArrayList<>();

	RangeStores newStores(TestDatabase database) {
		return database.newStores();
	}

	@AfterEach
	void dropDatabase() {
		this.stores.close();
		this.database.close();
	}

	@Test
	void reservationIsOneFindAndModifyWithFloorAndOverflowInTheFilter() {
		this.database.setMax("orders", new BsonInt64(500));
		ReservedRange range = reserve(32, 100);
		assertThat(range.min()).isEqualTo(501);
		assertThat(range.max()).isEqualTo(532);
		assertThat(this.database.commands().kinds()).containsExactly("reserve");
		BsonDocument command = this.database.commands().ofKind("reserve").get(0);
		assertThat(command.getString("findAndModify").getValue()).isEqualTo("@hilo");
		assertThat(command.getDocument("query")).isEqualTo(BsonDocument.parse("""
				{_id: 'Raven/HiLo/orders', Max: {$type: ['int', 'long'], $gte: NumberLong(100),
				 $lte: NumberLong('9223370937343147999'), $not: {$type: 'array'}}}"""));
		assertThat(command.getDocument("update")).isEqualTo(
				new BsonDocument("$inc", new BsonDocument("Max", new BsonInt64(32))).append("$push",
						new BsonDocument("Grants",
								new BsonDocument("$each", (BsonArray) range.grants())
									.append("$position", new BsonInt32(0))
									.append("$slice", new BsonInt32(2)))));
		assertThat(command.getDocument("fields")).isEqualTo(BsonDocument.parse("{_id: 0, Max: 1, Grants: 1}"));
		assertThat(command.getBoolean("new").getValue()).isTrue();
		assertThat(command.getBoolean("upsert", BsonBoolean.FALSE).getValue()).isFalse();
	}

	@Test
	void everyWriteIsMajorityAndJournaledAndNoneBelongsToATransaction() {
		ReservedRange range = reserve(32, 0);
		returnUnused(1, range);
		reserve(32, 1000);
		List<BsonDocument> writes = this.database.commands()
			.all()
			.stream()
			.filter((command) -> command.containsKey("update"))
			.toList();
		assertThat(writes).hasSizeGreaterThan(3).allSatisfy((command) -> {
			assertThat(command.getDocument("writeConcern")).isEqualTo(BsonDocument.parse("{w: 'majority', j: true}"));
			assertThat(command).doesNotContainKeys("autocommit", "startTransaction");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void missingCounterIsCreatedAndGrantsTheRangeWithAWarningUnlessItIsNew(boolean firstUse, CapturedOutput output) {
		ReservedRange range = reserve(
				new RangeRequest(32, 32, 999, firstUse, Places.NONE, new Deadline(TIMEOUT, TimeSource.SYSTEM)));
		assertThat(List.of(range.min(), range.max())).containsExactly(1000L, 1031L);
		assertThat(this.database.commands().ofKind("reserve")).hasSize(1);
		assertThat(this.database.commands().ofKind("create")).singleElement().satisfies((command) -> {
			assertThat(command.getDocument("query")).isEqualTo(BsonDocument.parse("{_id: 'Raven/HiLo/orders'}"));
			assertThat(command.getDocument("update")).isEqualTo(new BsonDocument("$setOnInsert",
					new BsonDocument("Max", new BsonInt64(1031)).append("Grants", (BsonArray) range.grants())));
			assertThat(command.getBoolean("upsert").getValue()).isTrue();
		});
		assertThat(range.grants()).as("there is no write before").hasSize(1);
		assertThat(output.getOut()
			.contains("The counter of sequence 'orders' of database '" + this.database.name()
					+ "' was gone, and was created again"))
			.isEqualTo(!firstUse);
		assertThat(this.repairs).containsExactlyElementsOf(firstUse ? List.of() : List.of(CounterRepair.MISSING));
	}

	@ParameterizedTest
	@MethodSource
	void counterBehindTheFloorIsRaisedAndGrantsTheRangeWithAWarning(BsonValue max, String filter,
			CapturedOutput output) {
		this.database.setMax("orders", max);
		BsonArray grants = new BsonArray(List.of(new BsonObjectId()));
		this.database.counters()
			.updateOne(new BsonDocument(), new BsonDocument("$set", new BsonDocument("Grants", grants)));
		ReservedRange range = reserve(
				new RangeRequest(32, 32, 500, false, Places.NONE, new Deadline(TIMEOUT, TimeSource.SYSTEM)));
		assertThat(List.of(range.min(), range.max())).containsExactly(501L, 532L);
		assertThat(this.database.max("orders")).isEqualTo(532);
		assertThat(output).contains("The counter of sequence 'orders'",
				"stood at " + max.asNumber().longValue() + ", behind 500");
		assertThat(this.repairs).containsExactly(CounterRepair.BEHIND);
		assertThat(this.database.commands().kinds()).containsExactly("reserve", "find", "raise");
		BsonDocument raise = this.database.commands().ofKind("raise").get(0);
		assertThat(raise.getDocument("query"))
			.isEqualTo(BsonDocument.parse("{_id: 'Raven/HiLo/orders', Max: {" + filter + ", $not: {$type: 'array'}}}"));
		assertThat(raise.getDocument("update").getDocument("$set"))
			.isEqualTo(new BsonDocument("Max", new BsonInt64(532)));
		assertThat(range.grants().get(1)).isEqualTo(grants.get(0));
		assertThat(this.database.counter("orders").getArray("Grants")).isEqualTo(range.grants());
	}

	static Stream<Arguments> counterBehindTheFloorIsRaisedAndGrantsTheRangeWithAWarning() {
		String behind = "$type: ['int', 'long'], $gte: NumberLong(0), $lt: NumberLong(500)";
		return Stream.of(Arguments.of(new BsonInt64(12), behind), Arguments.of(new BsonInt32(12), behind),
				Arguments.of(new BsonInt64(0), behind), Arguments.of(new BsonInt64(499), behind),
				Arguments.of(new BsonDouble(12), "$type: 'double', $eq: 12.0"),
				Arguments.of(new BsonDouble(499), "$type: 'double', $eq: 499.0"));
	}

	/**
	 * One number is lost: mongo-java-server would keep a double that is set to an equal
	 * integer.
	 */
	@ParameterizedTest
	@CsvSource({ "0, 0", "64, 0", "64, 64", "9007199254740991, 0" })
	void integralDoubleThatIsNotBehindIsRaisedToTheNextIntegerAndCountedUp(double max, long floor,
			CapturedOutput output) {
		this.database.setMax("orders", new BsonDouble(max));
		assertThat(reserve(32, floor).min()).isEqualTo((long) max + 2);
		assertThat(this.database.max("orders")).isEqualTo((long) max + 33);
		assertThat(this.database.commands().kinds()).containsExactly("reserve", "find", "raise", "reserve");
		assertThat(this.database.commands().ofKind("raise").get(0).getDocument("query").getDocument("Max"))
			.isEqualTo(new BsonDocument("$type", new BsonString("double")).append("$eq", new BsonDouble(max))
				.append("$not", BsonDocument.parse("{$type: 'array'}")));
		assertThat(this.repairs).isEmpty();
		assertThat(output).doesNotContain("behind");
	}

	@ParameterizedTest
	@MethodSource
	void malformedCounterFailsLoudlyAndStaysAsItIs(String fields, String shown, String remedy) {
		this.database.counters().insertOne(BsonDocument.parse("{_id: 'Raven/HiLo/orders', " + fields + "}"));
		String[] words = { "'Raven/HiLo/orders'", "'@hilo'", "'" + this.database.name() + "'", "'orders'", "malformed",
				shown, remedy, "The document was not changed" };
		assertRefused(HiLoDocumentException.class, () -> reserve(32, 0), words);
		assertRefused(HiLoDocumentException.class, () -> reserve(32, 500), words);
		assertRefused(HiLoDocumentException.class,
				() -> result(this.store.raise("orders", 5000, TIMEOUT).toCompletableFuture()), words);
	}

	private <T extends RuntimeException> void assertRefused(Class<T> type, ThrowingCallable call, String... words) {
		BsonDocument before = this.database.counter("orders");
		assertThatExceptionOfType(type).isThrownBy(call).withMessageContainingAll(words);
		assertThat(this.database.counter("orders")).isEqualTo(before);
	}

	static Stream<Arguments> malformedCounterFailsLoudlyAndStaysAsItIs() {
		Map<String, String> max = Map.ofEntries(Map.entry("other: 1", "there is no field Max"),
				Map.entry("Max: null", "null"), Map.entry("Max: '32'", "\"32\" (string)"),
				Map.entry("Max: [5]", "[5] (array)"), Map.entry("Max: [64.0]", "(array)"),
				Map.entry("Max: NumberLong(-5)", "-5 (int64)"), Map.entry("Max: -5", "-5 (int32)"),
				Map.entry("Max: -5.0", "-5.0 (double)"), Map.entry("Max: 3.5", "3.5 (double)"),
				Map.entry("Max: {$numberDouble: 'NaN'}", "NaN"), Map.entry("Max: 9007199254740992.0", "(double)"),
				Map.entry("Max: NumberDecimal('5')", "5\"} (decimal128)"), Map.entry("Max: true", "(boolean)"));
		return Stream.concat(
				max.entrySet().stream().map((row) -> Arguments.of(row.getKey(), row.getValue(), "Stop every process")),
				Stream.of("5", "'x'", "{a: 1}")
					.map((grants) -> Arguments.of("Max: 5, Grants: " + grants, "must be an array",
							"{$unset: {Grants: 1}}")));
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MAX_VALUE, HiLoIdGenerator.MAX_NUMBER + 1, HiLoIdGenerator.MAX_NUMBER - 31 })
	void exhaustedCounterFailsLoudlyAndStaysAsItIs(long max) {
		this.database.setMax("orders", new BsonInt64(max));
		for (long floor : new long[] { 0, 500 }) {
			assertRefused(HiLoExhaustedException.class, () -> reserve(32, floor), "'Raven/HiLo/orders'", "'@hilo'",
					"'" + this.database.name() + "'", "'orders'",
					"is exhausted: 32 numbers above " + max + " would exceed " + HiLoIdGenerator.MAX_NUMBER,
					"the highest id in the sequence's collections shows which", "Stop every process",
					"{$set: {Max: NumberLong(\"…\")}}", "The document was not changed");
		}
	}

	/**
	 * Whether the counter is missing, or stands so many below the floor.
	 */
	@ParameterizedTest
	@NullSource
	@ValueSource(longs = { 0, 5 })
	void lastRangeBelowTheEndIsGrantedAndTheNextIsNot(@Nullable Long behind) {
		long last = HiLoIdGenerator.MAX_NUMBER - 32;
		for (long floor : new long[] { last, last + 1 }) {
			this.database.counters().drop();
			if (behind != null) {
				this.database.setMax("orders", new BsonInt64(floor - behind));
			}
			if (floor == last) {
				assertThat(reserve(32, floor).max()).isEqualTo(HiLoIdGenerator.MAX_NUMBER);
			}
			else {
				assertThatExceptionOfType(HiLoExhaustedException.class).isThrownBy(() -> reserve(32, floor))
					.withMessageContaining("32 numbers above " + floor + " would exceed");
			}
		}
	}

	@Test
	void returnMatchesTheEndOfTheRangeAndItsGrants() {
		ReservedRange created = reserve(32, 0);
		ReservedRange range = reserve(32, 0);
		assertThat(range.grants().get(1)).isEqualTo(created.grants().get(0));
		assertThat(returnUnused(35, range)).isTrue();
		assertThat(this.database.max("orders")).isEqualTo(35);
		assertThat(this.database.commands().ofKind("return").get(0).getDocument("query"))
			.isEqualTo(BsonDocument.parse("""
					{_id: 'Raven/HiLo/orders', Max: {$type: ['int', 'long'], $eq: NumberLong(64),
					 $not: {$type: 'array'}}}""").append("Grants", (BsonArray) range.grants()));
		BsonArray after = this.database.counter("orders").getArray("Grants");
		assertThat(after.get(0)).isNotIn(range.grants());
		assertThat(after.get(1)).isEqualTo(range.grants().get(0));
	}

	@Test
	void rangesThatACreationAndARaiseHaveGrantedAreReturned() {
		assertThat(returnUnused(5, reserve(32, 0))).isTrue();
		ReservedRange raised = reserve(32, 500);
		assertThat(returnUnused(505, raised)).isTrue();
		assertThat(this.database.max("orders")).isEqualTo(505);
		assertThat(returnUnused(500, raised)).as("a return comes once").isFalse();
	}

	@Test
	void firstGrantOfACounterWithoutAnyIsTheOnlyOne() {
		this.database.setMax("orders", new BsonInt64(500));
		ReservedRange range = reserve(32, 0);
		assertThat(range.grants()).hasSize(1);
		assertThat(returnUnused(505, range)).isTrue();
	}

	@Test
	void clientOfAFixedDatabaseMayBeReplaced() {
		MongoDatabase closed = mock(MongoDatabase.class);
		given(closed.getName()).willReturn(this.database.name());
		given(closed.getCollection(anyString(), any())).willThrow(new IllegalStateException("state should be: open"));
		AtomicReference<MongoDatabase> current = new AtomicReference<>(closed);
		try (MongoRangeStores stores = Stores.blocking(current::get, true, (name) -> current.get(),
				TestDatabase.storeSettings(), TimeSource.SYSTEM)) {
			List<RangeStore> before = List.of(stores.current(soon()), stores.named(this.database.name(), soon()));
			current.set(this.database.client().getDatabase(this.database.name()));
			assertThat(before).allSatisfy(
					(store) -> result(store.reserve("orders", firstRequest(TIMEOUT), UNHEARD).toCompletableFuture()));
		}
	}

	@Test
	void int32CounterCountsOnBeyondItsType() {
		this.database.setMax("orders", new BsonInt32(Integer.MAX_VALUE));
		assertThat(reserve(32, 0).min()).isEqualTo(Integer.MAX_VALUE + 1L);
	}

	/**
	 * A late release may still have callers to serve.
	 */
	@Test
	void tasksRunAlsoAfterTheEnd() {
		HiLoEngine engine = new EngineSettings(TestDatabase.SETTINGS).engine(this.stores, TimeSource.SYSTEM);
		engine.generator().nextId("orders");
		engine.close();
		assertThatNoException().isThrownBy(() -> engine.generator().release());
		assertThat(CompletableFuture.runAsync(() -> {
		}, this.stores.tasks())).succeedsWithin(TIMEOUT);
	}

	private ReservedRange reserve(long size, long floor) {
		return reserve(
				new RangeRequest(size, size, floor, true, Places.NONE, new Deadline(TIMEOUT, TimeSource.SYSTEM)));
	}

	private ReservedRange reserve(RangeRequest request) {
		return result(this.store.reserve("orders", request, this.repairs::add).toCompletableFuture());
	}

	private boolean returnUnused(long lastIssued, ReservedRange range) {
		return result(
				this.store
					.returnUnused("orders",
							new RangeReturn(lastIssued, range.max(), range.grants(),
									new Deadline(TIMEOUT, TimeSource.SYSTEM)))
					.toCompletableFuture());
	}

	static RangeRequest firstRequest(Duration timeout) {
		return new RangeRequest(32, 32, 0, true, Places.NONE, new Deadline(timeout, TimeSource.SYSTEM));
	}

	static <T> T result(CompletableFuture<T> future) {
		try {
			return future.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof DataAccessException own) {
				throw own;
			}
			throw ex;
		}
	}

	static Deadline soon() {
		return new Deadline(Duration.ofSeconds(1), TimeSource.SYSTEM);
	}

}
