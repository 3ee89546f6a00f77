package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.WithInformation;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.Timeouts;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.hilo.internal.counter.MongoRangeStoreTests.UNHEARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for the two checks that keep an issued id from being a stored one.
 */
@ExtendWith({ OutputCaptureExtension.class, WithInformation.class })
class StoredIdCheckTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/**
	 * 2^53 + 1, the first whole number that is no double.
	 */
	private static final Decimal128 BETWEEN_DOUBLES = Decimal128.parse("9007199254740993");

	private static final List<Place> NUMBERS = scope(true, false, "orders");

	private static final List<Place> TEXTS = scope(false, true, "orders");

	private static final List<Place> BOTH = scope(true, true, "orders");

	private static final List<Place> FIELD = List.of(new Place("customers", "number", false, true));

	private static final Place ARCHIVE = new Place("archive", Place.ID, false, true);

	/**
	 * Nothing is checked.
	 */
	private static final List<Place> UNCHECKED = List.of(new Place("", "", false, false));

	private final TestDatabase database = new TestDatabase();

	private final FaultyCommands commands = FaultyCommands.on(this.database);

	private final ManualTime time = new ManualTime();

	private final List<CounterRepair> repairs = new ArrayList<>();

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@ParameterizedTest
	@MethodSource
	void counterThatIsCreatedStartsAboveWhatIsStored(List<Place> scope, List<Object> stored, long floor, long first) {
		store("orders", stored);
		assertThat(reserve(store(scope), first(floor)).min()).isEqualTo(first);
		assertThat(this.database.max("orders")).isEqualTo(first + 31);
	}

	static Stream<Arguments> counterThatIsCreatedStartsAboveWhatIsStored() {
		long beyond = HiLoIdGenerator.MAX_FLOOR + 1;
		return Stream.of(arguments(NUMBERS, List.of(), 0, 1), arguments(NUMBERS, List.of(1, 5_000_000L), 0, 5_000_001),
				arguments(NUMBERS, List.of(40), 99, 100), arguments(NUMBERS, List.of(140), 99, 141),
				arguments(NUMBERS, List.of(7, 8.5, 3L), 0, 9),
				arguments(NUMBERS, List.of(7, Decimal128.parse("12.25")), 0, 13),
				arguments(NUMBERS, List.of(-5, -1L, -0.5, Decimal128.parse("-0")), 0, 1),
				arguments(NUMBERS, List.of(4, "x99", "orders/99-A", new ObjectId(), new Document("a", 99)), 0, 5),
				arguments(TEXTS, List.of("orders/9-A", 30), 0, 10),
				arguments(TEXTS, List.of("orders/10-A", "orders/North/9-B", "lines/77-A"), 0, 11),
				arguments(BOTH, List.of("orders/9-A", 30), 0, 31), arguments(BOTH, List.of("orders/90-A", 30), 0, 91),
				arguments(NUMBERS, List.of("41", "007", "orders/90-A", 30), 0, 42),
				arguments(BOTH, List.of("99", "orders/90-A", 30), 0, 100),
				arguments(BOTH,
						List.of(5, "orders/6-A", beyond, 1e300, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
								"orders/" + beyond + "-A"),
						0, 7),
				arguments(UNCHECKED, List.of("orders/9-A", 30), 0, 1));
	}

	@Test
	void counterThatGoesWhileItIsRaisedIsCreatedAboveWhatIsStored() {
		this.database.setMax("orders", new BsonInt64(50));
		store("orders", List.of("orders/700-A"));
		this.commands.beforeWrite(() -> this.database.counters().drop());
		assertThat(reserve(store(TEXTS), next(100)).min()).isEqualTo(701);
		assertThat(this.repairs).containsExactly(CounterRepair.MISSING);
	}

	/**
	 * As MongoDB answers it; mongo-java-server compares decimals as doubles.
	 */
	@Test
	void decimalBetweenTwoDoublesIsFoundInItsRange() {
		long max = 1L << 53;
		BsonDocument found = new BsonDocument("_id", new BsonDecimal128(BETWEEN_DOUBLES));
		this.commands.holdFind("orders").complete(found);
		this.commands.holdFind("orders").complete(found);
		assertThat(stored(store(NUMBERS), NUMBERS.get(0), max + 1, max + 32)).isCompletedWithValue(max + 1);
	}

	@ParameterizedTest
	@CsvSource({ "1, 9, 1", "5, 10, 2", "99, 100, 2", "7, 1000000, 7", "1, 9223370937343148031, 19",
			"9223370937343148031, 9223370937343148031, 1" })
	void textsOfARangeTakeAConditionForEachNumberOfDigits(long min, long max, int conditions) {
		assertThat(stored(store(TEXTS), TEXTS.get(0), min, max)).isCompletedWithValue(0L);
		BsonDocument filter = this.database.commands().ofKind("find").get(0).getDocument("filter");
		assertThat(filter.getArray("$or", new BsonArray(List.of(filter)))).hasSize(conditions);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void commandsForACounterThatIsMissing(boolean numbers) {
		store("orders", List.of(1, "orders/1-A"));
		reserve(store(numbers ? NUMBERS : TEXTS), first(0));
		assertThat(this.database.commands().kinds())
			.containsExactlyElementsOf(numbers ? List.of("reserve", "find", "find", "aggregate", "create")
					: List.of("reserve", "find", "aggregate", "create"));
	}

	@Test
	void checkThatFailsLetsTheReservationFailAndSaysWhatToDo() {
		this.commands.failFind("orders", CounterModel.failure(96, "OperationFailed"));
		assertUnavailable(store(NUMBERS), first(0)).withMessageContainingAll("No range for sequence 'orders'",
				"'" + this.database.name() + "'", "collection 'orders'", "OperationFailed", "ensureAtLeast",
				"hilo.check-stored-ids");
		assertThat(this.database.counters().countDocuments()).as("the counter was not created").isZero();
	}

	@Test
	void checkOfAFieldForWhichThereWasNoTimeNamesTheIndexToCreate() {
		this.commands.failFind("customers", new MongoOperationTimeoutException("Timeout while receiving message"));
		assertUnavailable(store(FIELD), first(0)).withMessageContainingAll("field 'number' of collection 'customers'",
				"Timeout while receiving message", "create the index {number: 1}", "unique");
		this.time.advance(TIMEOUT);
		this.commands.failFind("customers", CounterModel.failure(96, "OperationFailed"));
		assertUnavailable(store(FIELD), first(0)).withMessageNotContaining("index");
	}

	@Test
	void fieldIsReadAloneSoThatItsIndexWillDo() {
		List<Place> scope = List.of(new Place("customers", "number", false, true),
				new Place("customers", "number", true, true));
		customers("{number: 5}", "{number: 'orders/7-A'}", "{number: [90, 'orders/91-A']}", "{a: {number: 90}}");
		assertThat(reserve(store(scope), first(0)).min()).isEqualTo(8);
		assertThat(this.database.commands().ofKind("find"))
			.filteredOn((find) -> find.getString("find").getValue().equals("customers"))
			.hasSize(3)
			.allSatisfy((find) -> assertThat(find.getDocument("projection"))
				.isEqualTo(BsonDocument.parse("{number: 1, _id: 0}")));
	}

	@Test
	void fieldWhoseFindTakesLongerThanASecondIsPointedOutOnce(CapturedOutput output) {
		this.database.setMax("orders", new BsonInt64(32));
		MongoRangeStore store = store(
				List.of(new Place("customers", "number", false, true), new Place("orders", Place.ID, false, true)));
		for (int i = 0; i < 3; i++) {
			long floor = 32L * (i + 1);
			CompletableFuture<@Nullable BsonDocument> field = this.commands.holdFind("customers");
			CompletableFuture<@Nullable BsonDocument> id = this.commands.holdFind("orders");
			CompletableFuture<ReservedRange> range = store.reserve("orders", next(floor), UNHEARD)
				.toCompletableFuture();
			this.time.advance(Duration.ofMillis((i == 0) ? 1_000 : 1_001));
			id.complete(null);
			assertThat(output).as("an index is not missing").doesNotContain("{_id: 1}");
			field.complete(null);
			assertThat(range.join().min()).isEqualTo(floor + 1);
			assertThat(output.getOut().split("A find in the field", -1)).hasSize((i == 0) ? 1 : 2);
		}
		assertThat(output).contains("field 'number' of collection 'customers', whose ids", "took 1001ms",
				"create the index {number: 1}");
	}

	@ParameterizedTest
	@MethodSource
	void checkThatFailsIsRepeatedByTheNextCall(RuntimeException failure, String whatToDo) {
		this.database.setMax("orders", new BsonInt64(32));
		MongoRangeStore store = store(NUMBERS);
		this.commands.failFind("orders", failure);
		assertUnavailable(store, next(32)).withMessageContainingAll("could not be read", Failures.describe(failure),
				whatToDo, "hilo.check-stored-ids");
		assertThat(this.database.max("orders")).as("what was reserved beside it has gone back").isEqualTo(32);
		assertThat(reserve(store, next(32)).min()).isEqualTo(33);
	}

	static Stream<Arguments> checkThatFailsIsRepeatedByTheNextCall() {
		return Stream.of(arguments(new MongoTimeoutException("no server"), "ensureAtLeast"),
				arguments(new MongoOperationTimeoutException("had all its time"), "ensureAtLeast"),
				arguments(CounterModel.failure(13, "Unauthorized"), "Allow find"),
				arguments(CounterModel.failure(10107, "NotWritablePrimary"), "ensureAtLeast"));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			13, Unauthorized, 1
			8000, user is not allowed to do action [find] on [shop.orders], 1
			8000, 'not authorized on shop to execute command { find: "orders" }', 1
			73, InvalidNamespace, 0
			10080, InvalidNamespace, 0
			""")
	void collectionThatCannotBeReadIsSkippedWhereNoTypeIsSavedToIt(int code, String message, int warnings,
			CapturedOutput output) {
		MongoCommandException failure = CounterModel.failure(code, message);
		store("orders", List.of(30, "orders/30-A"));
		this.commands.failFind("orders", failure)
			.failAggregate(failure)
			.failAggregate(failure)
			.failFind("orders", failure)
			.failFind("orders", failure);
		assertThat(reserve(store(List.of()), first(0)).min()).isEqualTo(1);
		assertThat(output.getOut().split("The ids in collection 'orders' may not be read", -1)).hasSize(1 + warnings);
		this.commands.failFind("orders", failure);
		assertUnavailable(store(NUMBERS), next(32)).withMessageContaining(message.substring(0, 12));
	}

	@Test
	void otherFailureOfAtlasSkipsNothing() {
		this.commands.failFind("orders", CounterModel.failure(8000, "you are over your space quota"));
		assertUnavailable(store(List.of()), next(32)).withMessageContaining("space quota");
	}

	@Test
	void whatWasFoundAndDecidedIsInTheLog(CapturedOutput output) {
		store("orders", List.of(41));
		reserve(store(NUMBERS), first(0));
		assertThat(output)
			.containsOnlyOnce("The highest stored id of sequence 'orders' of database '" + this.database.name()
					+ "' is 41, in collection 'orders'. Its counter was missing and now stands at 41,"
					+ " so that no stored document is overwritten (hilo.check-stored-ids)")
			.doesNotContain("which no known type");
	}

	@Test
	void counterThatSomebodyElseCreatedLowerIsRaised() {
		store("orders", List.of(41));
		this.commands.failWrite(false, () -> this.database.setMax("orders", new BsonInt64(7)),
				CounterModel.failure(11000, "DuplicateKey"));
		assertThat(reserve(store(NUMBERS), first(0)).min()).isEqualTo(42);
	}

	@Test
	void anyOfManyPlacesIsAskedForACallerWithoutOne() {
		List<Place> twelve = IntStream.range(0, 12)
			.mapToObj((i) -> new Place("type-" + i, Place.ID, i % 2 == 0, true))
			.toList();
		store("type-11", List.of(40));
		store("type-10", List.of("orders/50-A"));
		assertThat(stored(store(twelve), Place.ANYWHERE, 33, 64)).isCompletedWithValue(50L);
		assertThat(stored(store(twelve), Place.ANYWHERE, 51, 64)).isCompletedWithValue(0L);
		assertThat(reserve(store(twelve), first(0)).min()).isEqualTo(51);
	}

	@ParameterizedTest
	@MethodSource
	void highestStoredNumberOfARangeIsFound(boolean text, List<Object> stored, long highest) {
		store("archive", stored);
		Place place = new Place("archive", Place.ID, text, true);
		assertThat(stored(store(NUMBERS), place, 7, 120)).isCompletedWithValue(highest);
		assertThat(this.database.commands().kinds()).hasSize((highest == 0) ? 1 : text ? 4 : 2);
	}

	static Stream<Arguments> highestStoredNumberOfARangeIsFound() {
		return Stream.of(arguments(false, List.of(6, 121L, "orders/9-A"), 0), arguments(false, List.of(7, 9, 700L), 9),
				arguments(false, List.of(120L), 120),
				arguments(true, List.of("orders/6-A", "orders/121-A", "orders/9-B", "orders/09-A", "lines/9-A", 9), 0),
				arguments(true, List.of("orders/9-A", "orders/12-A", "orders/700-A"), 12),
				arguments(true, List.of("orders/8-A", "orders/99-A", "orders/100-A", "orders/121-A"), 100),
				arguments(true, List.of("orders/7-A", "orders/9-A"), 9));
	}

	@Test
	void findSaysWhatIsStoredAndWhatToDoIfItFails(CapturedOutput output) {
		MongoRangeStore store = store(NUMBERS);
		store("archive", List.of(9));
		this.commands.failFind("archive", CounterModel.failure(13, "Unauthorized"));
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> MongoRangeStoreTests.result(stored(store, ARCHIVE, 7, 32)))
			.withMessageContainingAll("'orders'", "'archive'", "Unauthorized", "Allow find");
		assertThat(stored(store, ARCHIVE, 7, 32)).isCompletedWithValue(9L);
		assertThat(output).contains("is about to issue 7 to 32 for collection 'archive', which already has the id 9.");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void countThatHasNotEnoughTimeFailsAndSaysWhatToRunOnce(boolean text) {
		store("orders", List.of("orders/7-A"));
		MongoRangeStore store = store(text ? TEXTS : NUMBERS);
		this.commands.failAggregate(new MongoOperationTimeoutException("Timeout while receiving message"));
		assertUnavailable(store, first(0)).withMessageContainingAll("No range for sequence 'orders'",
				"could not be read from collection 'orders'",
				"Counting them takes longer than " + Timeouts.named(TIMEOUT) + " allows",
				"Math.max(0, ...db.getCollection('orders').aggregate([{\"$match\"",
				text ? "\"orders/0\"" : "{\"$gte\": \"0\"", "raise the counter to the result with ensureAtLeast",
				"hilo.check-stored-ids", "Timeout while receiving message");
		assertThat(this.database.counters().countDocuments()).isZero();
		assertThat(reserve(store, first(0)).min()).as("nothing is remembered").isEqualTo(text ? 8 : 1);
	}

	@Test
	void countThatFailsCountsAsNothing() {
		store("orders", List.of("orders/7-A"));
		this.commands.failAggregate(CounterModel.failure(13, "Unauthorized"));
		assertUnavailable(store(TEXTS), first(0)).withMessageContainingAll("Unauthorized", "Allow find")
			.withMessageNotContaining("mongosh");
		assertThat(this.database.counters().countDocuments()).isZero();
	}

	private static List<Place> scope(boolean numbers, boolean texts, String... collections) {
		return Arrays.stream(collections)
			.flatMap((name) -> Stream.of(false, true)
				.filter((text) -> text ? texts : numbers)
				.map((text) -> new Place(name, Place.ID, text, true)))
			.toList();
	}

	private MongoRangeStore store(List<Place> scope) {
		return new MongoRangeStore(TestStores.memory(this.database.name(), scope != UNCHECKED, (sequence) -> scope,
				this.time, new Grants()), this.commands);
	}

	private CompletableFuture<Long> stored(MongoRangeStore store, Place place, long first, long last) {
		return store.stored("orders", place, new ReservedRange(first, last, "", List.of()), deadline())
			.toCompletableFuture();
	}

	private RangeRequest first(long floor) {
		return request(32, floor, true);
	}

	private RangeRequest next(long floor) {
		return request(32, floor, false);
	}

	private RangeRequest request(long size, long floor, boolean firstUse) {
		return new RangeRequest(size, Math.min(size, 32), floor, firstUse, deadline());
	}

	private Deadline deadline() {
		return new Deadline(TIMEOUT, this.time);
	}

	private ReservedRange reserve(MongoRangeStore store, RangeRequest request) {
		return MongoRangeStoreTests.result(store.reserve("orders", request, this.repairs::add).toCompletableFuture());
	}

	private ThrowableAssertAlternative<HiLoUnavailableException> assertUnavailable(MongoRangeStore store,
			RangeRequest request) {
		return assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> reserve(store, request));
	}

	private void store(String collection, List<?> ids) {
		ids.forEach((id) -> documents(collection).insertOne(new Document("_id", id)));
	}

	private void customers(String... json) {
		documents("customers").insertMany(Arrays.stream(json).map(Document::parse).toList());
	}

	private MongoCollection<Document> documents(String collection) {
		return MongoTestServer.client().getDatabase(this.database.name()).getCollection(collection);
	}

}
