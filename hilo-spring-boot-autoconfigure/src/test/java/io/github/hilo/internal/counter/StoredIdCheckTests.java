package io.github.hilo.internal.counter;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoCollection;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.WithInformation;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonSymbol;
import org.bson.BsonValue;
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
 * Tests for what keeps an issued id from being a stored one: where a counter starts that
 * is created, and the find that covers a range in a place.
 */
@ExtendWith({ OutputCaptureExtension.class, WithInformation.class })
class StoredIdCheckTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final List<Place> NUMBERS = scope(true, false, "orders");

	private static final List<Place> TEXTS = scope(false, true, "orders");

	private static final List<Place> BOTH = scope(true, true, "orders");

	private static final Place FIELD = Place.ofType("customers", "number", IdForm.NUMBER);

	private static final Place TEXT_FIELD = Place.ofType("customers", "number", IdForm.TEXT);

	private static final Place ARCHIVE = Place.ofType("archive", Place.ID, IdForm.NUMBER);

	private static final Place TEXT_ARCHIVE = Place.ofType("archive", Place.ID, IdForm.TEXT);

	private static final BsonDocument NUMBERS_33_TO_64 = BsonDocument
		.parse("{$gte: {$numberLong: '33'}, $lte: {$numberLong: '64'}}");

	private static final String HIGHEST = "The highest stored id of sequence 'orders'";

	/**
	 * Nothing is checked.
	 */
	private static final List<Place> UNCHECKED = List.of(Place.ofName("", IdForm.NUMBER));

	private final TestDatabase database = new TestDatabase();

	private final FaultyCommands commands = FaultyCommands.on(this.database);

	private final ManualTime time = new ManualTime();

	private final List<CounterRepair> repairs = new ArrayList<>();

	private Places places = new Places();

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
		long beyond = HiLoIdGenerator.MAX_NUMBER + 1;
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
				arguments(NUMBERS, List.of(HiLoIdGenerator.MAX_NUMBER - 32), 0, HiLoIdGenerator.MAX_NUMBER - 31),
				arguments(UNCHECKED, List.of("orders/9-A", 30), 0, 1));
	}

	@Test
	void counterThatWouldBeCreatedBeyondItsEndIsExhausted() {
		store("orders", List.of(HiLoIdGenerator.MAX_NUMBER - 31));
		assertThatExceptionOfType(HiLoExhaustedException.class).isThrownBy(() -> reserve(store(NUMBERS), first(0)))
			.withMessageContainingAll("is exhausted: 32 numbers above " + (HiLoIdGenerator.MAX_NUMBER - 31)
					+ " would exceed " + HiLoIdGenerator.MAX_NUMBER, "created above a stored id that is too high");
		assertThat(this.database.counters().countDocuments()).isZero();
	}

	@Test
	void counterThatGoesWhileItIsRaisedIsCreatedAboveWhatIsStored() {
		this.database.setMax("orders", new BsonInt64(50));
		store("orders", List.of("orders/700-A"));
		this.commands.beforeWrite(() -> this.database.counters().drop());
		assertThat(reserve(store(TEXTS), next(100)).min()).isEqualTo(701);
		assertThat(this.repairs).containsExactly(CounterRepair.MISSING);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void commandsForACounterThatIsMissing(boolean numbers) {
		store("orders", List.of(1, "orders/1-A"));
		reserve(store(numbers ? NUMBERS : TEXTS), first(0));
		assertThat(this.database.commands().kinds())
			.containsExactlyElementsOf(numbers ? List.of("reserve", "find", "find", "aggregate", "create")
					: List.of("reserve", "find", "aggregate", "create"));
		if (numbers) {
			assertThat(this.database.commands().ofKind("find").get(1)).as("one entry of the index")
				.containsAllEntriesOf(BsonDocument.parse("""
						{find: 'orders', filter: {_id: {$gte: {$numberLong: '1'}, $lte: {$numberLong: '%s'}}},
						 sort: {_id: -1}, limit: 1, projection: {_id: 1}, readConcern: {level: 'local'}}"""
					.formatted(HiLoIdGenerator.MAX_NUMBER)))
				.doesNotContainKey("collation");
		}
	}

	@Test
	void reservationAndRaiseReadNothingThatIsStoredIfThereIsACounter() {
		this.database.setMax("orders", new BsonInt64(32));
		store("orders", List.of(33, 1000));
		MongoRangeStore store = store(NUMBERS);
		assertThat(reserve(store, next(32)).min()).isEqualTo(33);
		assertThat(reserve(store, next(500)).min()).isEqualTo(501);
		assertThat(store.raise("orders", 900, TIMEOUT).toCompletableFuture()).isCompletedWithValue(900L);
		assertThat(this.database.commands().ofKind("aggregate")).isEmpty();
		assertThat(this.database.commands().ofKind("find")).hasSize(2)
			.allMatch((find) -> find.getString("find").getValue().equals("@hilo"));
	}

	@Test
	void fieldIsReadAloneSoThatItsIndexWillDo() {
		MongoRangeStore store = store(List.of(FIELD, TEXT_FIELD));
		customers("{number: 5}", "{number: 'orders/7-A'}", "{number: [90, 'orders/91-A']}", "{a: {number: 90}}");
		assertThat(reserve(store, first(0)).min()).isEqualTo(8);
		assertThat(stored(store, FIELD, 5, 99)).isCompletedWithValue(5L);
		assertThat(stored(store, TEXT_FIELD, 5, 99)).isCompletedWithValue(7L);
		assertThat(stored(store, Place.ofType("customers", "a.number", IdForm.NUMBER), 5, 90))
			.isCompletedWithValue(90L);
		assertThat(this.database.commands().ofKind("find"))
			.filteredOn((find) -> find.getString("find").getValue().equals("customers"))
			.hasSize(8)
			.allSatisfy((find) -> assertThat(find.getDocument("projection")).containsEntry("_id", new BsonInt32(0))
				.hasSize(2));
	}

	@Test
	void arrayOnThePathOfAFieldCountsNowhere() {
		customers("{a: [{number: 40}]}", "{a: {number: [40]}}");
		assertThat(stored(store(NUMBERS), Place.ofType("customers", "a.number", IdForm.NUMBER), 33, 64))
			.isCompletedWithValue(0L);
	}

	@Test
	void fieldWhoseFindTakesLongerThanASecondIsPointedOutOnce(CapturedOutput output) {
		MongoRangeStore store = store(List.of(FIELD, NUMBERS.get(0)));
		for (int i = 0; i < 3; i++) {
			CompletableFuture<@Nullable BsonDocument> field = this.commands.holdFind("customers");
			CompletableFuture<@Nullable BsonDocument> id = this.commands.holdFind("orders");
			List<CompletableFuture<Long>> found = List.of(stored(store, FIELD, 33, 64),
					stored(store, NUMBERS.get(0), 33, 64));
			this.time.advance(Duration.ofMillis((i == 0) ? 1_000 : 1_001));
			id.complete(null);
			assertThat(output).as("an index is not missing").doesNotContain("{_id: 1}");
			field.complete(null);
			assertThat(found).allSatisfy((answer) -> assertThat(answer).isCompletedWithValue(0L));
			assertThat(output.getOut().split("A find in the field", -1)).hasSize((i == 0) ? 1 : 2);
		}
		assertThat(output).contains("field 'number' of collection 'customers', whose ids", "took 1001ms",
				"create the index {number: 1}");
	}

	@ParameterizedTest
	@MethodSource
	void findThatFailsSaysWhereAndIsSentAgainByTheNextCall(RuntimeException failure) {
		MongoRangeStore store = store(NUMBERS);
		for (Place place : List.of(ARCHIVE, NUMBERS.get(0), FIELD)) {
			this.commands.failFind(place.collection(), failure);
			assertNotFound(store, place)
				.withMessageStartingWith("No number for " + place.describe() + " from sequence 'orders' of database '"
						+ this.database.name() + "'")
				.withMessageContainingAll(
						": the ids that are stored already could not be read from " + place.describe() + ". ",
						"set hilo.check-stored-ids to false for this sequence. Without the check a stored document"
								+ " could be overwritten. " + Failures.describe(failure));
			assertThat(stored(store, place, 33, 64)).isCompletedWithValue(0L);
		}
	}

	static Stream<RuntimeException> findThatFailsSaysWhereAndIsSentAgainByTheNextCall() {
		return Stream.of(new MongoTimeoutException("no server"), new MongoOperationTimeoutException("had all its time"),
				CounterModel.failure(13, "Unauthorized"), CounterModel.failure(96, "OperationFailed"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void creationFailsIfOneOfItsCommandsDoesAndCreatesNothing(boolean find) {
		if (find) {
			this.commands.failFind("orders", CounterModel.failure(96, "OperationFailed"));
		}
		else {
			this.commands.failAggregate(CounterModel.failure(96, "OperationFailed"));
		}
		store("orders", List.of(6, "7"));
		assertUnavailable(store(NUMBERS), first(0))
			.withMessageStartingWith("No range for sequence 'orders' of database '" + this.database.name()
					+ "': the ids that are stored already could not be read from collection" + " 'orders'. ")
			.withMessageContaining("OperationFailed");
		assertThat(this.database.counters().countDocuments()).isZero();
		assertThat(reserve(store(NUMBERS), first(0)).min()).as("nothing is remembered").isEqualTo(8);
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
		MongoRangeStore store = store(List.of());
		this.commands.failFind("orders", failure).failAggregate(failure).failAggregate(failure);
		assertThat(reserve(store, first(0)).min()).isEqualTo(1);
		this.commands.failFind("orders", failure);
		assertThat(stored(store, Place.ofName("orders", IdForm.NUMBER), 10, 40)).isCompletedWithValue(0L);
		assertThat(output.getOut().split("The ids in collection 'orders' may not be read", -1)).hasSize(1 + warnings);
		this.commands.failFind("orders", failure);
		assertNotFound(store(NUMBERS), NUMBERS.get(0)).withMessageContaining(message.substring(0, 12));
	}

	@Test
	void otherFailureOfAtlasSkipsNothing() {
		this.commands.failFind("orders", CounterModel.failure(8000, "you are over your space quota"));
		assertNotFound(store(List.of()), Place.ofName("orders", IdForm.NUMBER)).withMessageContaining("space quota");
	}

	@ParameterizedTest
	@CsvSource({ "41, 73", "1, 131" })
	void whatWasFoundAndDecidedIsInTheLog(int stored, long max, CapturedOutput output) {
		store("orders", List.of(stored));
		reserve(store(NUMBERS), first((stored == 1) ? 99 : 0));
		assertThat(output)
			.containsOnlyOnce(HIGHEST + " of database '" + this.database.name() + "' is " + stored
					+ ", in collection 'orders'. Its counter was missing and now stands at " + max
					+ ", so that no stored document is overwritten (hilo.check-stored-ids)")
			.doesNotContain("was gone");
	}

	/**
	 * The server answers with the document of the other creator, or with a duplicate key.
	 */
	@ParameterizedTest
	@CsvSource({ "7, 0, true", "7, 0, false", "100, 0, true", "100, 0, false", "7, 20, false" })
	void counterThatSomebodyElseHasCreatedIsLeftWhereItIs(long created, long floor, boolean duplicateKey,
			CapturedOutput output) {
		store("orders", List.of(41));
		Runnable meanwhile = () -> this.database.setMax("orders", new BsonInt64(created));
		if (duplicateKey) {
			this.commands.failWrite(false, meanwhile, CounterModel.failure(11000, "DuplicateKey"));
		}
		else {
			this.commands.beforeWrite(meanwhile);
		}
		ReservedRange range = reserve(store(NUMBERS), new RangeRequest(64, 8, floor, true, this.places, deadline()));
		assertThat(range.min()).isEqualTo(Math.max(created, floor) + 1);
		assertThat(range.size()).as("a lost race is no repetition").isEqualTo(64);
		assertThat(this.repairs).isEmpty();
		assertThat(output).doesNotContain(HIGHEST, "is repeated");
	}

	/**
	 * A creation whose answer is lost is at worst a gap.
	 */
	@ParameterizedTest
	@CsvSource({ "217, false", "217, true", "225, false", "40606, true", "40613, false", "40638, true" })
	void creationWhoseRecordIsLostIsRepeated(int code, boolean applied) {
		store("orders", List.of(41));
		this.commands.failWrite(applied, () -> {
		}, CounterModel.failure(code, "lost"));
		ReservedRange range = reserve(store(NUMBERS), new RangeRequest(64, 8, 0, false, this.places, deadline()));
		assertThat(range.min()).isEqualTo(applied ? 42 + 64 : 42);
		assertThat(range.size()).isEqualTo(8);
		assertThat(this.database.max("orders")).isEqualTo(range.max());
	}

	/**
	 * What is stored in a range of 7 to 120.
	 */
	@ParameterizedTest
	@MethodSource
	void highestStoredNumberOfARangeIsFound(boolean text, List<Object> stored, long highest, CapturedOutput output) {
		store("archive", stored);
		assertThat(stored(store(NUMBERS), text ? TEXT_ARCHIVE : ARCHIVE, 7, 120)).isCompletedWithValue(highest);
		assertThat(this.database.commands().kinds()).containsOnly("find")
			.hasSize((highest == 0) ? 1 : text ? 1 + 3 : 1 + 1);
		assertThat(output.getOut().contains("is about to issue 7 to 120 for collection 'archive', which already has"))
			.isEqualTo(highest > 0);
	}

	static Stream<Arguments> highestStoredNumberOfARangeIsFound() {
		return Stream.of(arguments(false, List.of(7), 7),
				arguments(false, List.of(6, 121L, 6.5, 120.5, "40", "orders/9-A", new ObjectId()), 0),
				arguments(false, List.of(7, 9, 700L), 9), arguments(false, List.of(120L), 120),
				arguments(false, List.of(40.0), 40), arguments(false, List.of(7, 40.5), 40),
				arguments(false, List.of(Decimal128.parse("40")), 40),
				arguments(false, List.of(Decimal128.parse("12.25")), 12),
				arguments(true,
						List.of("orders/6-A", "orders/121-A", "orders/9-B", "orders/9", "orders/09-A", "orders/9-A-A",
								"lines/9-A", "Orders/9-A", "xorders/9-A", "orders/North/9-A", 9, new ObjectId()),
						0),
				arguments(true, List.of("orders/9-A", "orders/12-A", "orders/700-A"), 12),
				arguments(true, List.of("orders/8-A", "orders/99-A", "orders/100-A", "orders/121-A"), 100),
				arguments(true, List.of("orders/7-A", "orders/9-A"), 9), arguments(true, List.of("orders/120-A"), 120));
	}

	@ParameterizedTest
	@CsvSource({ "orders/North/040-A, 40", "orders/North/40-A, 0", "orders/North/0040-A, 0", "orders/040-A, 0",
			"orders/South/040-A, 0", "orders/North/1040-A, 1040", "orders/North/01040-A, 0" })
	void textHasTheDigitsAndThePrefixOfTheRange(String id, long highest) {
		store("archive", List.of(id));
		CounterSettings settings = TestDatabase.storeSettings(true, TIMEOUT);
		MongoRangeStore store = new MongoRangeStore(
				new CounterDatabase(this.database.name(), true,
						new CounterSettings(settings.collection(), settings.idPrefix(), true, TIMEOUT,
								(sequence) -> DocumentIdFormat.of(sequence, "/", "A", 3)),
						this.time, new Grants()),
				"client", true, () -> this.commands);
		assertThat(store.stored("orders", TEXT_ARCHIVE, new ReservedRange(7, 2000, "North/", List.of()), deadline())
			.toCompletableFuture()).isCompletedWithValue(highest);
	}

	@Test
	void findAsksForAnyIdOfTheRangeAndOnlyThenForTheHighest() {
		store("archive", List.of(40, "orders/40-A"));
		assertThat(stored(store(NUMBERS), ARCHIVE, 33, 64)).isCompletedWithValue(40L);
		assertThat(stored(store(NUMBERS), TEXT_ARCHIVE, 33, 64)).isCompletedWithValue(40L);
		BsonDocument texts = BsonDocument.parse("""
				{$and: [{_id: {$gte: 'orders/33', $lt: 'orders/64\udbff\udfff'}},
				        {_id: {$regex: '^orders/[0-9]{2}-A\\\\z'}}]}""");
		List<BsonDocument> finds = this.database.commands().all();
		assertThat(finds).extracting((find) -> find.getDocument("filter"))
			.containsExactly(new BsonDocument("_id", NUMBERS_33_TO_64), new BsonDocument("_id", NUMBERS_33_TO_64),
					texts, texts);
		assertThat(finds).extracting((find) -> find.get("sort"))
			.containsExactly(null, BsonDocument.parse("{_id: -1}"), null, BsonDocument.parse("{_id: -1}"));
		assertThat(finds).allSatisfy((find) -> assertThat(find).as("under the collation of the collection")
			.doesNotContainKey("collation")
			.containsAllEntriesOf(BsonDocument.parse("""
					{find: 'archive', limit: 1, projection: {_id: 1}, readConcern: {level: 'local'}}""")));
	}

	@Test
	void findOfAFieldLeavesArraysOutByItsFilter() {
		assertThat(stored(store(NUMBERS), Place.ofType("customers", "a.number", IdForm.NUMBER), 33, 64))
			.isCompletedWithValue(0L);
		assertThat(this.database.commands().all()).singleElement()
			.extracting((find) -> find.getDocument("filter"))
			.isEqualTo(new BsonDocument("a.number", NUMBERS_33_TO_64.clone().append("$not", array())).append("a",
					new BsonDocument("$not", array())));
	}

	private static BsonDocument array() {
		return BsonDocument.parse("{$type: 'array'}");
	}

	@ParameterizedTest
	@CsvSource({ "1, 9, 1", "5, 10, 2", "99, 100, 2", "7, 1000000, 7", "1, 9223370937343148031, 19",
			"9223370937343148031, 9223370937343148031, 1" })
	void textsOfARangeTakeAConditionForEachNumberOfDigits(long min, long max, int conditions) {
		assertThat(stored(store(TEXTS), TEXTS.get(0), min, max)).isCompletedWithValue(0L);
		BsonDocument filter = this.database.commands().ofKind("find").get(0).getDocument("filter");
		assertThat(filter.getArray("$or", new BsonArray(List.of(filter)))).hasSize(conditions);
	}

	/**
	 * As MongoDB answers it; mongo-java-server compares decimals as doubles, and knows no
	 * symbols.
	 */
	@ParameterizedTest
	@MethodSource
	void decimalAndSymbolAreIdsAsAnyOther(boolean text, BsonValue id, long number) {
		this.commands.holdFind("archive").complete(new BsonDocument("_id", id));
		assertThat(stored(store(NUMBERS), text ? TEXT_ARCHIVE : ARCHIVE, number - 3, number + 3))
			.isCompletedWithValue(number);
	}

	static Stream<Arguments> decimalAndSymbolAreIdsAsAnyOther() {
		return Stream.of(arguments(false, new BsonDecimal128(Decimal128.parse("9007199254740993")), (1L << 53) + 1),
				arguments(true, new BsonSymbol("orders/40-A"), 40));
	}

	@Test
	void idThatWasMetIsExcludedEvenIfItsDocumentIsGoneByThen(CapturedOutput output) {
		this.commands.holdFind("orders").complete(new BsonDocument("_id", new BsonInt64(50)));
		store("orders", List.of(40));
		assertThat(stored(store(NUMBERS), NUMBERS.get(0), 33, 64)).isCompletedWithValue(50L);
		assertThat(output).containsOnlyOnce("sequence 'orders' of database '" + this.database.name()
				+ "' is about to issue 33 to 64 for collection 'orders', which already has the id 50."
				+ " Numbers up to 50 are excluded");
	}

	@Test
	void counterStartsAboveWhatAnyOfManyPlacesHas() {
		List<Place> twelve = IntStream.range(0, 12)
			.mapToObj((i) -> Place.ofType("type-" + i, Place.ID, (i % 2 == 0) ? IdForm.TEXT : IdForm.NUMBER))
			.toList();
		store("type-11", List.of(40));
		store("type-10", List.of("orders/50-A"));
		assertThat(reserve(store(twelve), first(0)).min()).isEqualTo(51);
	}

	@Test
	void noMoreThanEightCommandsAreSentAtOnce() {
		List<Place> twelve = IntStream.range(0, 12)
			.mapToObj((i) -> Place.ofType("type-" + i, Place.ID, (i % 2 == 0) ? IdForm.TEXT : IdForm.NUMBER))
			.toList();
		HeldCommands held = new HeldCommands();
		MongoRangeStore store = new MongoRangeStore(TestStores.memory("shop", this.time, new Grants()), "client", true,
				() -> held);
		know(twelve);
		CompletableFuture<ReservedRange> range = store.reserve("orders", first(0), UNHEARD).toCompletableFuture();
		assertThat(held.answerAll()).as("7 finds, and 14 aggregates").containsExactly(8, 8, 5);
		assertThat(range.join().min()).isEqualTo(1);
	}

	private static List<Place> scope(boolean numbers, boolean texts, String... collections) {
		return Arrays.stream(collections)
			.flatMap((name) -> Stream.of(IdForm.values())
				.filter((form) -> (form == IdForm.TEXT) ? texts : numbers)
				.map((form) -> Place.ofType(name, Place.ID, form)))
			.toList();
	}

	private MongoRangeStore store(List<Place> scope) {
		know(scope);
		return new MongoRangeStore(TestStores.memory(this.database.name(), this.time, new Grants()), "client", true,
				() -> this.commands);
	}

	/**
	 * Sets what is known of the sequence by the next reservation.
	 */
	private void know(List<Place> scope) {
		this.places = new Places();
		if (scope != UNCHECKED) {
			scope.forEach(this.places::add);
			this.places.addOfName("orders");
		}
	}

	/**
	 * Rounded down, a number is never above that of the document, also where doubles are
	 * further apart than 1.
	 */
	@Test
	void lowestNumberIsRoundedDown() {
		long far = 1L << 60;
		store("orders", List.of(33.5, new Decimal128(new BigDecimal("40.25")), 45, (double) far));
		Place orders = Place.ofType("orders", Place.ID, IdForm.NUMBER);
		assertThat(lowest(orders, 33, 99)).isCompletedWithValue(33L);
		assertThat(lowest(orders, 34, 99)).isCompletedWithValue(40L);
		assertThat(lowest(orders, 41, 99)).isCompletedWithValue(45L);
		assertThat(lowest(orders, 46, 99)).isCompletedWithValue(0L);
		assertThat(lowest(orders, far - 5, far + 5)).isCompletedWithValue(far);
	}

	private CompletableFuture<Long> lowest(Place place, long first, long last) {
		return store(NUMBERS).lowestStored("orders", place, new ReservedRange(first, last, "", List.of()), deadline())
			.toCompletableFuture();
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
		return new RangeRequest(size, Math.min(size, 32), floor, firstUse, this.places, deadline());
	}

	private Deadline deadline() {
		return new Deadline(TIMEOUT, this.time);
	}

	private ReservedRange reserve(MongoRangeStore store, RangeRequest request) {
		return MongoRangeStoreTests.result(store.reserve("orders", request, this.repairs::add).toCompletableFuture());
	}

	private ThrowableAssertAlternative<HiLoUnavailableException> assertNotFound(MongoRangeStore store, Place place) {
		CompletableFuture<Long> found = stored(store, place, 33, 64);
		return assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> MongoRangeStoreTests.result(found));
	}

	private ThrowableAssertAlternative<HiLoUnavailableException> assertUnavailable(MongoRangeStore store,
			RangeRequest request) {
		return assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> reserve(store, request));
	}

	private void store(String collection, List<?> ids) {
		ids.forEach((id) -> documents(collection).insertOne(new Document("_id", id)));
	}

	/**
	 * Commands of a database without counters, whose finds are answered only when a test
	 * says so.
	 */
	private static final class HeldCommands implements Commands {

		private final List<Runnable> held = new ArrayList<>();

		/**
		 * Answers all finds, and those that follow.
		 * @return how many there were at once
		 */
		List<Integer> answerAll() {
			List<Integer> atOnce = new ArrayList<>();
			while (!this.held.isEmpty()) {
				List<Runnable> answers = List.copyOf(this.held);
				this.held.clear();
				atOnce.add(answers.size());
				answers.forEach(Runnable::run);
			}
			return atOnce;
		}

		private <T extends @Nullable Object> CompletionStage<T> hold(Consumer<CompletableFuture<T>> answer) {
			CompletableFuture<T> later = new CompletableFuture<>();
			this.held.add(() -> answer.accept(later));
			return later;
		}

		@Override
		public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
				Commands.IfAbsent ifAbsent, Deadline deadline) {
			return CompletableFuture
				.completedFuture((ifAbsent == Commands.IfAbsent.CREATE) ? update.getDocument("$setOnInsert") : null);
		}

		@Override
		public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
			return query.collection().equals("@hilo") ? CompletableFuture.completedFuture(null)
					: hold((later) -> later.complete(null));
		}

		@Override
		public CompletionStage<List<BsonDocument>> aggregate(String collection, String field,
				List<BsonDocument> pipeline, Deadline deadline) {
			return hold((later) -> later.complete(List.of()));
		}

	}

	private void customers(String... json) {
		documents("customers").insertMany(Arrays.stream(json).map(Document::parse).toList());
	}

	private MongoCollection<Document> documents(String collection) {
		return MongoTestServer.client().getDatabase(this.database.name()).getCollection(collection);
	}

}
