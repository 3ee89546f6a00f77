package io.github.hilo.engine;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.TimeSource;
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

	private final HiLoEngine engine = engine(Duration.ofMinutes(1), this.time);

	private final HiLoIdGenerator generator = this.engine.generator();

	@Test
	void busySequenceRequestsItsNextRangeWhenHalfOfTheCurrentOneIsUsed() {
		take(32 + 31);
		assertThat(sizes()).containsExactly(32L, 64L);
		take(1);
		assertThat(sizes()).containsExactly(32L, 64L, 128L);
		take(32 + 63);
		assertThat(sizes()).containsExactly(32L, 64L, 128L);
		take(1);
		assertThat(sizes()).containsExactly(32L, 64L, 128L, 256L);
	}

	@Test
	void sequenceThatTookItsTimeHoldsOneRange() {
		take(32);
		this.time.advance(Duration.ofSeconds(30));
		take(32);
		assertThat(sizes()).containsExactly(32L, 32L);
	}

	@ParameterizedTest
	@CsvSource({ "14999, 128", "15000, 64", "30000, 64", "30001, 32" })
	void nextRangeFollowsThePaceOfTheHalfThatWasUsed(long millis, long size) {
		take(32 + 1);
		this.time.advance(Duration.ofMillis(millis));
		take(31);
		assertThat(sizes()).containsExactly(32L, 64L, size);
	}

	@Test
	void sequenceStaysBusyWhileItsRangesLastNoLongerThanAMinute() {
		take(33);
		this.time.advance(Duration.ofSeconds(60));
		take(31);
		assertThat(sizes()).containsExactly(32L, 64L, 32L);
		take(64);
		assertThat(sizes()).containsExactly(32L, 64L, 32L, 64L);
	}

	@Test
	void sequenceWhoseRangeLastedLongerThanAMinuteIsNoLongerBusy() {
		take(32 + 32);
		this.time.advance(Duration.ofSeconds(60).plusNanos(1));
		take(32 + 128);
		assertThat(sizes()).containsExactly(32L, 64L, 128L);
		take(1);
		assertThat(sizes()).containsExactly(32L, 64L, 128L, 256L);
	}

	@Test
	void failedPrefetchIsTriedAgainWithTheNextIdAfterAGrowingPause() {
		take(32 + 31);
		this.store.hold();
		take(1);
		for (int pauseMillis = 50, requests = 3; pauseMillis <= 400; pauseMillis *= 2, requests++) {
			assertThat(sizes()).hasSize(requests);
			this.store.fail(new HiLoUnavailableException("no server"));
			this.time.advance(Duration.ofMillis(pauseMillis));
			take(1);
			assertThat(sizes()).hasSize(requests + 1);
		}
	}

	@Test
	void failedPrefetchIsNotTriedAgainBeforeThePauseIsOver() {
		take(32 + 31);
		this.store.hold();
		take(1);
		this.store.fail(new HiLoUnavailableException("no server"));
		this.time.advance(Duration.ofMillis(50).minusNanos(1));
		take(31);
		assertThat(sizes()).hasSize(3);
		this.time.advance(Duration.ofNanos(1));
		take(1);
		assertThat(sizes()).as("the end of a piece is an occasion").hasSize(4);
	}

	@Test
	void prefetchedRangeThatOnlyLooksAdjacentGoesBackAlone() {
		take(32 + 31);
		this.store.grantToSomebodyElseAndTakeBack();
		take(5);
		this.generator.release();
		assertThat(this.store.returns()).extracting(RangeReturn::lastIssued).containsExactly(96L);
	}

	@Test
	void pauseThatTookTooLongHoldsNothingEither() {
		HiLoEngine impatient = engine(Duration.ofMillis(50), TimeSource.SYSTEM);
		take(impatient.generator(), 32 + 31);
		this.store.hold();
		take(impatient.generator(), 1);
		assertThat(impatient.pause()).isFalse();
		this.store.answerAll();
		assertThat(take(impatient.generator(), 1)).isNotEmpty().allMatch((number) -> number > 64);
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

	private List<Long> take(int count) {
		return take(this.engine.generator(), count);
	}

	private static List<Long> take(HiLoIdGenerator generator, int count) {
		return LongStream.range(0, count).mapToObj((i) -> generator.nextId("orders")).toList();
	}

	private List<Long> sizes() {
		return this.store.requests().stream().map(RangeRequest::size).toList();
	}

	private HiLoEngine engine(Duration timeout, TimeSource time) {
		return new HiLoEngine(this.store, Class::getSimpleName, EngineSettings.DEFAULTS.withTimeout(timeout).settings(),
				time);
	}

}
