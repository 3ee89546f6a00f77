package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.github.hilo.internal.counter.MongoRangeStoreTests.UNHEARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for raising a counter, and for commands that fail or that others overtake.
 */
class CounterUpdatesTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final BsonString ID = new BsonString("Raven/HiLo/orders");

	private final TestDatabase database = new TestDatabase();

	private final FaultyCommands commands = FaultyCommands.on(this.database);

	private final RangeStore store = TestStores.over(this.database.name(), this.commands);

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@ParameterizedTest
	@MethodSource
	void counterIsRaisedToTheFloorOrLeftWhereItStands(@Nullable BsonValue max, long floor, long raised) {
		if (max != null) {
			this.database.setMax("orders", max);
		}
		assertThat(raise(floor)).isEqualTo(raised);
		assertThat(this.database.counter("orders")).containsOnlyKeys("_id", "Max", "Grants");
		assertThat(this.database.counter("orders").getArray("Grants")).hasSize(1);
		assertThat(this.database.counter("orders").getNumber("Max").longValue()).isEqualTo(raised);
	}

	static Stream<Arguments> counterIsRaisedToTheFloorOrLeftWhereItStands() {
		return Stream.of(arguments(null, 5000, 5000), arguments(new BsonInt32(7), 5000, 5000),
				arguments(new BsonInt64(9000), 5000, 9000), arguments(new BsonDouble(7), 5000, 5000),
				arguments(new BsonDouble(9000), 5000, 9001), arguments(new BsonDouble(4999), 5000, 5000),
				arguments(new BsonDouble(5000), 5000, 5001),
				arguments(new BsonInt64(HiLoIdGenerator.MAX_NUMBER), 5, HiLoIdGenerator.MAX_NUMBER),
				arguments(new BsonInt64(5), HiLoIdGenerator.MAX_NUMBER, HiLoIdGenerator.MAX_NUMBER));
	}

	@ParameterizedTest
	@ValueSource(longs = { 5, 32, 33, 5000 })
	void noReturnThatIsUnderWayUndoesARaise(long floor) {
		ReservedRange range = reserve();
		raise(floor);
		assertThat(this.store
			.returnUnused("orders",
					new RangeReturn(1, range.max(), range.grants(), new Deadline(TIMEOUT, TimeSource.SYSTEM)))
			.toCompletableFuture()
			.join()).isFalse();
		assertThat(this.database.max("orders")).isEqualTo(Math.max(32, floor));
	}

	/**
	 * Whatever the counter was when it was read: missing, behind, a double, or ahead.
	 */
	@ParameterizedTest
	@MethodSource
	void counterThatSomebodyElseChangesMeanwhileIsNotLowered(@Nullable BsonValue before, long meanwhile) {
		if (before != null) {
			this.database.setMax("orders", before);
		}
		this.commands.beforeWrite(() -> this.database.setMax("orders", new BsonInt64(meanwhile)));
		assertThat(raise(5000)).isEqualTo(Math.max(meanwhile, 5000));
		assertThat(this.database.max("orders")).isEqualTo(Math.max(meanwhile, 5000));
	}

	static Stream<Arguments> counterThatSomebodyElseChangesMeanwhileIsNotLowered() {
		return Stream.of(null, new BsonInt32(7), new BsonDouble(7), new BsonDouble(8000), new BsonInt64(8000))
			.flatMap((before) -> Stream.of(32, 9000).map((meanwhile) -> arguments(before, meanwhile)));
	}

	@Test
	void counterThatIsDeletedBeforeItIsRaisedIsCreated() {
		this.database.setMax("orders", new BsonInt64(7));
		this.commands.beforeWrite(() -> this.database.counters().drop());
		assertThat(raise(5000)).isEqualTo(5000);
	}

	@Test
	void raiseWithAnUnknownOutcomeFailsAndCanBeRepeated() {
		this.commands.failWrite(true, () -> {
		}, new MongoSocketReadException("connection reset", new ServerAddress("db.example", 27017)));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> raise(5000))
			.withMessage("The counter of sequence 'orders' of database '" + this.database.name()
					+ "' may not have been raised to 5000: connection reset");
		assertThat(raise(5000)).isEqualTo(5000);
	}

	@ParameterizedTest
	@ValueSource(longs = { HiLoIdGenerator.MAX_NUMBER + 1, Long.MAX_VALUE })
	void counterBeyondItsEndIsExhaustedAndStaysAsItIs(long max) {
		this.database.setMax("orders", new BsonInt64(max));
		for (long floor : new long[] { 1, HiLoIdGenerator.MAX_NUMBER }) {
			assertThatExceptionOfType(HiLoExhaustedException.class).isThrownBy(() -> raise(floor))
				.withMessageContainingAll("'Raven/HiLo/orders'", "is exhausted", String.valueOf(max),
						"every counter ends at " + HiLoIdGenerator.MAX_NUMBER, "The document was not changed");
		}
		assertThat(this.database.max("orders")).isEqualTo(max);
	}

	private long raise(long floor) {
		return MongoRangeStoreTests.result(this.store.raise("orders", floor, TIMEOUT).toCompletableFuture());
	}

	@Test
	void attemptsAreBounded() {
		this.database.setMax("orders", new BsonInt64(64));
		// Somebody else sets it to another double each time.
		for (int i = 0; i < CounterUpdates.MAX_ATTEMPTS; i++) {
			double max = i;
			this.commands.beforeReservation(() -> this.database.setMax("orders", new BsonDouble(max)))
				.beforeWrite(() -> this.database.setMax("orders", new BsonInt64(64)));
		}
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(this::reserve)
			.withMessageContaining("other clients changed the counter 30 times");
		assertThat(reserve().min()).isEqualTo(65);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 14 })
	void errorThatLooksLikeOneOfTheDocumentIsToldIfTheDocumentIsAsItShouldBe(int code) {
		this.database.setMax("orders", new BsonInt64(64));
		this.commands.failReservation(false, CounterModel.failure(code, "so it looks"));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(this::reserve)
			.withMessageContaining("so it looks");
		assertThat(reserve().min()).isEqualTo(65);
	}

	/**
	 * An array that a filter lets through, and grants to which nothing can be pushed.
	 */
	@ParameterizedTest
	@CsvSource({ "14, '{Max: [5]}', Max is", "2, '{Max: 5, Grants: 7}', Grants is" })
	void errorOfTheDocumentIsTheDocumentsIfThisShowsIt(int code, String document, String shown) {
		this.database.counters().insertOne(BsonDocument.parse(document).append("_id", ID));
		this.commands.failReservation(false, CounterModel.failure(code, "no operator for that"));
		assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(this::reserve)
			.withMessageContainingAll("is malformed: " + shown, "The document was not changed");
	}

	/**
	 * A write whose record is lost is sent again with a fresh grant, at most three times.
	 */
	@ParameterizedTest
	@CsvSource({ "217, true", "217, false", "225, false", "40606, true", "40613, false", "40638, true" })
	void raiseWhoseRecordIsLostIsRepeated(int code, boolean applied) {
		for (BsonValue max : List.of(new BsonInt64(7), new BsonInt64(9000), new BsonDouble(7))) {
			this.database.setMax("orders", max);
			this.commands.failWrite(applied, () -> {
			}, CounterModel.failure(code, "lost"));
			assertThat(raise(5000)).isEqualTo(Math.max(max.asNumber().longValue(), 5000));
		}
		this.database.counters().drop();
		this.commands.failWrite(applied, () -> {
		}, CounterModel.failure(code, "lost"));
		assertThat(raise(5000)).isEqualTo(5000);
		for (int i = 0; i <= CounterUpdates.MAX_REPETITIONS; i++) {
			this.commands.failWrite(false, () -> {
			}, CounterModel.failure(code, "lost"));
		}
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> raise(6000))
			.withMessageContaining("lost");
		assertThat(this.database.max("orders")).isEqualTo(5000);
	}

	@Test
	void timeoutOfTheReservationIsWhatTheServerIsGiven() {
		reserve();
		assertThat(this.database.commands().all().get(0).getInt64("maxTimeMS").getValue()).isBetween(1L, 30_000L);
	}

	@Test
	void commandIsNotSentOnceItsTimeIsUp() {
		ManualTime time = new ManualTime();
		MongoRangeStore store = new MongoRangeStore(TestStores.memory(this.database.name(), time, new Grants()),
				"client", true, () -> FaultyCommands.driver(this.database, (task) -> {
					time.advance(TIMEOUT);
					task.run();
				}));
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> MongoRangeStoreTests.result(store.raise("orders", 5, TIMEOUT).toCompletableFuture()))
			.withMessageEndingWith("The command was not sent in time: no time was left");
		assertThat(this.database.commands().all()).isEmpty();
	}

	@Test
	void commandThatNoThreadTakesFailsLikeAnyOther() {
		Commands commands = FaultyCommands.driver(this.database, (task) -> {
			throw new RejectedExecutionException("closed");
		});
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> raise(commands, TIMEOUT))
			.withMessageContaining("closed");
	}

	private long raise(Commands commands, Duration timeout) {
		return MongoRangeStoreTests
			.result(TestStores.over(this.database.name(), commands).raise("orders", 5, timeout).toCompletableFuture());
	}

	private ReservedRange reserve() {
		return MongoRangeStoreTests
			.result(this.store.reserve("orders", MongoRangeStoreTests.firstRequest(TIMEOUT), UNHEARD)
				.toCompletableFuture());
	}

}
