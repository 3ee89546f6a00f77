package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.stream.IntStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.log.ReservationLog;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a shutdown waits for and tells.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	@Test
	void sequencesThatCouldNotReturnAreOneLine(CapturedOutput output) {
		HiLoEngine engine = EngineSettings.PATIENT.engine(this.store, TimeSource.SYSTEM,
				new ReservationLog(TimeSource.SYSTEM, () -> null));
		IntStream.range(0, 5).forEach((i) -> engine.generator().nextId("sequence" + i));
		this.store.hold();
		Callers<Boolean> stop = Callers.start(1, engine::pause).awaitWaiting();
		IntStream.range(0, 3).forEach((i) -> this.store.fail(new IllegalStateException("away")));
		this.store.answerAll();
		assertThat(stop.answers()).containsExactly(true);
		engine.close();
		assertGap(output,
				"Unused numbers could not be returned and become a gap, of 3 sequences in all. Unused numbers of"
						+ " sequence 'sequence",
				"IllegalStateException: away");
	}

	@Test
	void sequencesWithoutAnAnswerAreOneLine(CapturedOutput output) {
		HiLoEngine engine = EngineSettings.DEFAULTS.withTimeout(Duration.ofMillis(100))
			.engine(this.store, TimeSource.SYSTEM, new ReservationLog(TimeSource.SYSTEM, () -> null));
		IntStream.range(0, 100).forEach((i) -> engine.generator().nextId("sequence" + i));
		this.store.hold();
		assertThat(engine.pause()).isFalse();
		engine.close();
		assertGap(output, "of 100 sequences in all", "no answer from MongoDB within hilo.timeout (100ms)");
	}

	private static void assertGap(CapturedOutput output, CharSequence... texts) {
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains(texts);
	}

	@Test
	void interruptedPauseStillReturnsEverything() {
		HiLoEngine engine = EngineSettings.PATIENT.engine(this.store, TimeSource.SYSTEM);
		IntStream.range(0, 32 + 31).forEach((i) -> engine.generator().nextId("orders"));
		this.store.hold();
		engine.generator().nextId("orders");
		Callers<Boolean> pause = Callers.start(1, () -> engine.pause() && Thread.currentThread().isInterrupted())
			.awaitWaiting();
		pause.interrupt();
		pause.awaitWaiting();
		this.store.answerAll();
		assertThat(pause.answers()).containsExactly(true);
		assertThat(this.store.max()).isEqualTo(64);
	}

	@Test
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void bothStepsTogetherWaitForTheTimeout() {
		ManualTime time = new ManualTime();
		HiLoEngine engine = EngineSettings.PATIENT.engine(this.store, time, (event) -> {
			if (event instanceof SequenceEvent.ReturnEnded) {
				time.advance(EngineSettings.PATIENT.settings().timeout());
			}
		});
		HiLoIdGenerator generator = engine.generator();
		generator.nextId("orders");
		this.store.hold();
		Callers<Boolean> stop = Callers.start(1, engine::pause).awaitWaiting();
		this.store.answer();
		assertThat(stop.answers()).containsExactly(true);
		Callers<Long> late = Callers.start(1, () -> generator.nextId("orders")).awaitWaiting();
		engine.close();
		this.store.answerAll();
		assertThat(late.answers()).containsExactly(2L);
	}

}
