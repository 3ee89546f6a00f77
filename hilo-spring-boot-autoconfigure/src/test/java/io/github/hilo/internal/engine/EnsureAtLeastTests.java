package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for raising a counter, on a counter in memory.
 */
class EnsureAtLeastTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final HiLoEngine engine = EngineSettings.PATIENT.engine(this.store, this.time);

	private final HiLoIdGenerator generator = this.engine.generator();

	@ParameterizedTest
	@CsvSource({ "96, 97", "97, 225", "200, 225" })
	void rangeThatWasReservedAheadIsDroppedBelowTheFloorAndKeptAboveIt(long floor, long next) {
		LongStream.range(0, 32 + 40).forEach((i) -> this.generator.nextId("orders"));
		assertThat(this.store.requests()).as("33 to 96, and 97 to 224 ahead").hasSize(3);
		this.generator.ensureAtLeast("orders", floor);
		assertThat(this.generator.nextId("orders")).isEqualTo(next);
	}

	@Test
	void failureIsTheCallersAndTheRangeIsKept() {
		this.generator.nextId("orders");
		this.store.hold();
		Callers<Long> raise = Callers.start(1, () -> this.generator.ensureAtLeast("orders", 5000)).awaitWaiting();
		this.store.fail(new IllegalStateException("broken"));
		assertThat(raise.failures()).singleElement()
			.isInstanceOf(HiLoUnavailableException.class)
			.asString()
			.contains("The counter of sequence 'orders' of database 'shop' may not have been raised to 5000", "broken");
		this.store.answerAll();
		assertThat(this.generator.nextId("orders")).isEqualTo(2);
	}

	@Test
	void serverThatDoesNotAnswerIsWaitedForNoLongerThanTheTimeoutAndALateAnswerCounts() {
		HiLoIdGenerator impatient = EngineSettings.DEFAULTS.withTimeout(Duration.ofMillis(1))
			.engine(this.store, this.time)
			.generator();
		impatient.nextId("orders");
		this.store.hold();
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> impatient.ensureAtLeast("orders", 5000))
			.withMessage("The counter of sequence 'orders' of database 'shop' may not have been raised to 5000:"
					+ " no answer from MongoDB within hilo.timeout (1ms)");
		this.store.answerAll();
		assertThat(impatient.nextId("orders")).isEqualTo(5001);
	}

	@Test
	void pausedGeneratorCanBeRaisedAndHoldsNothing() {
		this.engine.pause();
		assertThat(this.generator.ensureAtLeast("orders", 5000)).isEqualTo(5000);
		assertThat(this.store.requests()).isEmpty();
		assertThat(this.generator.nextId("orders")).isEqualTo(5001);
	}

	@Test
	void raiseThatIsUnderWayWhenTheGeneratorIsClosedIsAnswered() {
		this.store.hold();
		Callers<Long> raise = Callers.start(1, () -> this.generator.ensureAtLeast("orders", 5000)).awaitWaiting();
		this.engine.close();
		this.store.answerAll();
		assertThat(raise.answers()).containsExactly(5000L);
	}

	@Test
	void closedGeneratorRaisesNothing() {
		this.engine.close();
		assertThatIllegalStateException().isThrownBy(() -> this.generator.ensureAtLeast("orders", 5000));
		assertThat(this.store.max()).isZero();
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -1, 0, HiLoIdGenerator.MAX_NUMBER + 1, Long.MAX_VALUE })
	void floorOutOfBoundsIsRefused(long floor) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.generator.ensureAtLeast("orders", floor))
			.withMessage("A counter cannot be raised to " + floor + ". Pass the highest number in use, from 1 to "
					+ HiLoIdGenerator.MAX_NUMBER + ".");
		assertThat(this.store.max()).isZero();
	}

}
