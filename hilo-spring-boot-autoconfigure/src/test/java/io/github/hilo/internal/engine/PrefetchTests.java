package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.RangeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the range that a busy sequence reserves before it needs it.
 */
class PrefetchTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final HiLoEngine engine = EngineSettings.PATIENT.engine(this.store, this.time);

	private final HiLoIdGenerator generator = this.engine.generator();

	@ParameterizedTest
	@CsvSource({ "14999, 128", "15000, 64", "30000, 64", "30001, 32" })
	void nextRangeFollowsThePaceOfTheHalfThatWasUsed(long millis, long size) {
		take(32 + 1);
		this.time.advance(Duration.ofMillis(millis));
		take(31);
		assertThat(sizes()).containsExactly(32L, 64L, size);
	}

	@Test
	void interruptedPauseStillReturnsEverything() {
		take(32 + 31);
		this.store.hold();
		take(1);
		Callers<Boolean> pause = Callers.start(1, () -> this.engine.pause() && Thread.currentThread().isInterrupted())
			.awaitWaiting();
		pause.interrupt();
		pause.awaitWaiting();
		this.store.answerAll();
		assertThat(pause.answers()).containsExactly(true);
		assertThat(this.store.max()).isEqualTo(64);
	}

	@Test
	void noNumberIsIssuedTwiceUnderConcurrentReleases() {
		Callers<List<Long>> callers = Callers.start(4, () -> LongStream.range(0, 5_000).mapToObj((i) -> {
			if (i % 500 == 0) {
				this.generator.release();
			}
			return this.generator.nextId("orders");
		}).toList());
		assertThat(callers.answers().stream().flatMap(List::stream)).hasSize(20_000).doesNotHaveDuplicates();
		this.engine.close();
		assertThat(this.store.mostInFlight()).isEqualTo(1);
		assertThat(this.store.max()).as("a clean stop loses nothing").isEqualTo(20_000);
	}

	private void take(int count) {
		LongStream.range(0, count).forEach((i) -> this.generator.nextId("orders"));
	}

	private List<Long> sizes() {
		return this.store.requests().stream().map(RangeRequest::size).toList();
	}

}
