package io.github.hilo.internal.counter;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WireFault;
import io.github.hilo.internal.engine.HiLoEngine;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Applications whose driver, with its sessions and retries, meets a faulty wire: what
 * their callers see, which numbers are lost, and that none is issued twice.
 */
@Thorough
class FaultyWireTests {

	private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

	private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(4);

	/**
	 * Longer than any timeout here, shorter than the 30 seconds after which the driver
	 * gives up by default.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(15);

	private static final int SMALLEST_RANGE = 32;

	private static final int FIRST_RANGES = 32 + 64;

	private static final int FAILED_RANGE = 128;

	/**
	 * Every number that any process of the test was given.
	 */
	private final List<Long> issued = new ArrayList<>();

	private @Nullable HiLoEngine engine;

	private FakePrimary primary;

	@BeforeEach
	void startPrimary() throws IOException {
		this.primary = new FakePrimary();
	}

	ApplicationContextRunner contextRunner(FakePrimary primary) {
		return primary.contextRunner();
	}

	@AfterEach
	void stopPrimary() throws IOException {
		this.primary.close();
	}

	@Test
	@Execution(ExecutionMode.CONCURRENT)
	void driverSendsRetryableWritesInSessions() {
		process(DEFAULT_TIMEOUT, (generator) -> issue(generator, 1));
		assertThat(this.primary.commands("reserve")).hasSize(1)
			.allSatisfy((command) -> assertThat(command).containsKeys("lsid", "txnNumber"));
		assertThat(this.primary.commands("create")).hasSize(1)
			.allSatisfy((command) -> assertThat(command).containsKeys("lsid", "txnNumber"));
	}

	/**
	 * What the driver repeats on its own, which helps once and not every time, and what
	 * it doesn't.
	 */
	static Stream<Fault> faults() {
		return Stream
			.of(Stream.of(new Fault(WireFault.REPEATED, false, false, FakePrimary.NEW_WIRE_VERSION)),
					onceAndEveryTime(FakePrimary.NEW_WIRE_VERSION, WireFault.CUT_BEFORE, WireFault.CUT_AFTER,
							WireFault.NOT_PRIMARY, WireFault.STEPPED_DOWN, WireFault.SHUTTING_DOWN,
							WireFault.APPLIED_THEN_STEPPED_DOWN, WireFault.APPLIED_THEN_SHUT_DOWN,
							WireFault.INTERRUPTED, WireFault.INTERRUPTED_AND_ROLLED_BACK),
					onceAndEveryTime(FakePrimary.OLD_WIRE_VERSION, WireFault.NOT_MASTER, WireFault.INTERRUPTED,
							WireFault.INTERRUPTED_AND_ROLLED_BACK),
					atTheFirstTime(FakePrimary.NEW_WIRE_VERSION, WireFault.LOST, WireFault.UNANSWERED,
							WireFault.NOT_REPLICATED, WireFault.NOT_REPLICATED_IN_TIME, WireFault.OUT_OF_TIME,
							WireFault.UNAUTHORIZED, WireFault.OVER_QUOTA),
					atTheFirstTime(FakePrimary.OLD_WIRE_VERSION, WireFault.NOT_REPLICATED, WireFault.OUT_OF_TIME))
			.flatMap((faults) -> faults);
	}

	private static Stream<Fault> onceAndEveryTime(int wireVersion, WireFault... faults) {
		return Stream.of(faults)
			.flatMap((wire) -> Stream.of(new Fault(wire, false, false, wireVersion),
					new Fault(wire, true, true, wireVersion)));
	}

	private static Stream<Fault> atTheFirstTime(int wireVersion, WireFault... faults) {
		return Stream.of(faults).map((wire) -> new Fault(wire, false, true, wireVersion));
	}

	@ParameterizedTest
	@Execution(ExecutionMode.CONCURRENT)
	@MethodSource("faults")
	void reservationRepeatsNoNumberAndTheNextOneSucceeds(Fault fault) {
		this.primary.reportWireVersion(fault.wireVersion);
		process(fault.timeout(), (generator) -> {
			issue(generator, FIRST_RANGES);
			fault.in(this.primary, "reserve");
			assertOutcome(fault, next(generator));
			awaitEnd(fault);
			this.primary.mend();
			recover(generator);
			assertThat(lastSize()).as("a failure is followed by the smallest range")
				.isEqualTo(fault.fails ? SMALLEST_RANGE : FAILED_RANGE);
			issue(generator, 100);
		});
		process(DEFAULT_TIMEOUT, (generator) -> issue(generator, 100));
		long lost = (fault.fails && fault.wire.isApplied()) ? FAILED_RANGE : 0;
		assertThat(this.issued.get(FIRST_RANGES)).isEqualTo(FIRST_RANGES + lost + 1);
		assertNoNumberIsRepeatedAndSoManyAreLost(lost);
	}

	@ParameterizedTest
	@Execution(ExecutionMode.CONCURRENT)
	@MethodSource
	@Exhaustive
	void returnRepeatsNoNumber(Fault fault) {
		this.primary.reportWireVersion(fault.wireVersion);
		process(fault.timeout(), (generator) -> {
			issue(generator, 5);
			fault.in(this.primary, "return");
			assertEndsInTime(generator::release);
			this.primary.mend();
			recover(generator);
			issue(generator, 100);
		});
		// The driver repeats all but these.
		Set<WireFault> costly = EnumSet.of(WireFault.LOST, WireFault.UNAUTHORIZED, WireFault.OVER_QUOTA,
				WireFault.OUT_OF_TIME);
		assertNoNumberIsRepeatedAndSoManyAreLost(costly.contains(fault.wire) ? SMALLEST_RANGE - 5 : 0);
	}

	static Stream<Fault> returnRepeatsNoNumber() {
		return faults().filter((fault) -> !fault.lasting);
	}

	@ParameterizedTest
	@Execution(ExecutionMode.CONCURRENT)
	@EnumSource(names = { "ANSWERED_FOR_ANOTHER", "TOO_OLD", "HISTORY_LOST", "IMAGE_LOST" })
	void answerThatIsNotItsOwnIsNotBelieved(WireFault wire) {
		process(DEFAULT_TIMEOUT, (generator) -> {
			this.primary.failNext("create", wire);
			issue(generator, FIRST_RANGES);
			this.primary.failNext("reserve", wire);
			issue(generator, 1);
			assertThat(lastSize()).as("size after an answer of another command").isEqualTo(SMALLEST_RANGE);
			this.primary.failNext("return", wire);
			generator.release();
			assertThat(this.primary.max("orders")).as("returned").isEqualTo(FIRST_RANGES + 1);
			this.primary.failNext("renew", wire);
			assertThat(generator.ensureAtLeast("orders", 5)).isEqualTo(FIRST_RANGES + 1);
			this.primary.failNext("raise", wire);
			assertThat(generator.ensureAtLeast("orders", 1_000)).isEqualTo(1_000);
			assertThat(this.primary.max("orders")).isEqualTo(1_000);
			this.primary.setMax("orders", new BsonDouble(2_000));
			this.primary.failNext("raise", wire);
			issue(generator, 100);
		});
		assertThat(this.issued).doesNotHaveDuplicates().last().as("a double is raised by 1").isEqualTo(2_101L);
		assertThat(this.primary.max("orders")).isEqualTo(2_101);
	}

	@Test
	@Execution(ExecutionMode.CONCURRENT)
	void commandIsRepeatedThreeTimesAndTheMessageSaysWhy() {
		process(DEFAULT_TIMEOUT, (generator) -> {
			issue(generator, FIRST_RANGES);
			int before = this.primary.commands("reserve").size();
			this.primary.failAlways("reserve", WireFault.ANSWERED_FOR_ANOTHER);
			DataAccessException failure = next(generator);
			assertUnavailable(failure);
			assertThat(failure).hasMessageContaining("Create the MongoClient after a snapshot");
			assertThat(this.primary.commands("reserve")).hasSize(before + 1 + CounterUpdates.MAX_REPETITIONS);
			this.primary.mend();
			issue(generator, 1);
		});
		assertNoNumberIsRepeatedAndSoManyAreLost(0);
	}

	@Test
	@Execution(ExecutionMode.CONCURRENT)
	void copiesOfOneClientAreNotGrantedTheSameRange() {
		this.primary.takeAllSessionsForOne();
		this.primary.setMax("orders", new BsonInt64(64));
		process(DEFAULT_TIMEOUT, (first) -> {
			issue(first, 1);
			contextRunner(this.primary).run((context) -> issue(context.getBean(HiLoIdGenerator.class), 1));
		});
		assertThat(this.issued).containsExactly(65L, 97L);
	}

	@ParameterizedTest
	@Execution(ExecutionMode.CONCURRENT)
	@CsvSource({ "reserve", "find" })
	void clusterThatShedsLoadIsAskedAgainByTheNextCall(String command) {
		process(SHORT_TIMEOUT, (generator) -> {
			issue(generator, FIRST_RANGES);
			this.primary.removeCounter("orders");
			this.primary.failAlways(command, WireFault.OVERLOADED);
			assertUnavailable(next(generator));
			this.primary.mend();
			issue(generator, 1);
		});
		assertNoNumberIsRepeatedAndSoManyAreLost(0);
	}

	@ParameterizedTest
	@Execution(ExecutionMode.CONCURRENT)
	@CsvSource({ "HELD, 32, 128", "OVERTAKEN, 0, 0" })
	void reservationThatArrivesLateIsAGapUnlessItsRepetitionOvertookIt(WireFault wire, long smallest, long lost) {
		process(SHORT_TIMEOUT, (generator) -> {
			issue(generator, FIRST_RANGES);
			this.primary.failNext("reserve", wire);
			assertThat(next(generator) != null).isEqualTo(lost > 0);
			recover(generator);
			this.primary.deliver();
			assertThat(this.primary.max("orders")).isEqualTo(FIRST_RANGES + FAILED_RANGE + smallest);
			issue(generator, 200);
		});
		assertNoNumberIsRepeatedAndSoManyAreLost(lost);
	}

	/**
	 * Runs an application whose driver looks for a primary again sooner than every half
	 * second.
	 */
	private void process(Duration timeout, Consumer<HiLoIdGenerator> work) {
		contextRunner(this.primary)
			.withPropertyValues("hilo.timeout=" + timeout.toMillis() + "ms", "hilo.range.prefetch=false")
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings
						.applyToServerSettings((server) -> server.minHeartbeatFrequency(50, TimeUnit.MILLISECONDS)))
			.run((context) -> {
				this.engine = context.getBean(HiLoEngine.class);
				work.accept(context.getBean(HiLoIdGenerator.class));
			});
	}

	private void issue(HiLoIdGenerator generator, int count) {
		for (int i = 0; i < count; i++) {
			this.issued.add(generator.nextId("orders"));
		}
	}

	/**
	 * Calls until it succeeds: a caller that gave up a moment before the driver did is
	 * followed by one that meets the same failure.
	 */
	private void recover(HiLoIdGenerator generator) {
		Awaitility.await()
			.pollInSameThread()
			.pollDelay(Duration.ZERO)
			.ignoreException(HiLoUnavailableException.class)
			.untilAsserted(() -> issue(generator, 1));
	}

	/**
	 * Calls once, and checks that the call ends in time.
	 * @return what it failed with, or {@code null}
	 */
	private @Nullable DataAccessException next(HiLoIdGenerator generator) {
		DataAccessException[] failure = new DataAccessException[1];
		assertEndsInTime(() -> failure[0] = catchThrowableOfType(DataAccessException.class, () -> issue(generator, 1)));
		return failure[0];
	}

	private static void assertEndsInTime(Runnable call) {
		long startNanos = System.nanoTime();
		call.run();
		assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(PATIENCE);
	}

	private static void assertOutcome(Fault fault, @Nullable DataAccessException failure) {
		if (fault.fails) {
			assertUnavailable(failure);
		}
		else {
			assertThat(failure).isNull();
		}
	}

	/**
	 * Waits until the driver has given up, too: its last attempt must not meet the server
	 * that is mended.
	 */
	private void awaitEnd(Fault fault) {
		HiLoEngine engine = Objects.requireNonNull(this.engine);
		Awaitility.await()
			.untilAsserted(() -> assertThat(engine.snapshot().values()).flatExtracting(Map::values)
				.allSatisfy((sequence) -> assertThat(sequence.failure() != null).isEqualTo(fault.fails)));
	}

	private static void assertUnavailable(@Nullable DataAccessException failure) {
		assertThat(failure).isInstanceOf(HiLoUnavailableException.class)
			.hasMessageContainingAll("'orders'", "'" + FakePrimary.DATABASE + "'");
	}

	/**
	 * Checks what has become of the numbers, once every process has returned what it did
	 * not use.
	 */
	private void assertNoNumberIsRepeatedAndSoManyAreLost(long lost) {
		assertThat(this.issued).doesNotHaveDuplicates();
		assertThat(this.primary.max("orders") - this.issued.size()).as("numbers lost").isEqualTo(lost);
	}

	private long lastSize() {
		List<BsonDocument> reservations = this.primary.commands("reserve");
		return reservations.get(reservations.size() - 1)
			.getDocument("update")
			.getDocument("$inc")
			.getNumber("Max")
			.longValue();
	}

	/**
	 * A fault, and what becomes of the command that meets it.
	 *
	 * @param wire what goes wrong
	 * @param lasting whether it goes wrong every time until it is mended
	 * @param fails whether the command fails in the end, whether it was applied or not
	 * @param wireVersion what the server poses as
	 */
	record Fault(WireFault wire, boolean lasting, boolean fails, int wireVersion) {

		/**
		 * Lets the commands of one kind meet it.
		 */
		void in(FakePrimary primary, String command) {
			if (this.lasting) {
				primary.failAlways(command, this.wire);
			}
			else {
				primary.failNext(command, this.wire);
			}
		}

		/**
		 * Long where the caller does not have to wait for its end.
		 */
		Duration timeout() {
			return this.fails ? SHORT_TIMEOUT : DEFAULT_TIMEOUT;
		}

	}

}
