package io.github.hilo.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
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

	private final HiLoEngine engine = engine(32);

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
	void firstRangeIsFollowedOnlyWhenItIsUsedUp() {
		take(32);
		assertThat(sizes()).containsExactly(32L);
		take(1);
		assertThat(this.store.max()).isEqualTo(96);
	}

	@Test
	void numbersStayInOrderWithoutAGap() {
		assertThat(take(5_000)).containsExactlyElementsOf(LongStream.rangeClosed(1, 5_000).boxed().toList());
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
	void sequenceStaysBusyWhileItsRangesLastNoLongerThanShrinkAfter() {
		take(33);
		this.time.advance(Duration.ofSeconds(60));
		take(31);
		assertThat(sizes()).containsExactly(32L, 64L, 32L);
		take(64);
		assertThat(sizes()).containsExactly(32L, 64L, 32L, 64L);
	}

	@Test
	void sequenceWhoseRangeLastedLongerThanShrinkAfterIsNoLongerBusy() {
		take(32 + 32);
		this.time.advance(Duration.ofSeconds(60).plusNanos(1));
		take(32 + 128);
		assertThat(sizes()).containsExactly(32L, 64L, 128L);
		take(1);
		assertThat(sizes()).containsExactly(32L, 64L, 128L, 256L);
	}

	@Test
	void sequenceThatIsNoLongerBusyAtTheHalfHoldsOneRange() {
		take(33);
		this.time.advance(Duration.ofSeconds(60).plusNanos(1));
		take(63);
		assertThat(sizes()).containsExactly(32L, 64L);
		take(1);
		assertThat(sizes()).containsExactly(32L, 64L, 32L);
	}

	@Test
	void callerDoesNotWaitForARangeThatIsPrefetched() {
		take(32 + 31);
		this.store.hold();
		assertThat(take(33)).endsWith(96L);
		this.store.answer();
		assertThat(take(63)).startsWith(97L);
		assertThat(snapshot().next()).isNull();
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
	void failedPrefetchDisturbsNobodyAndItsRetrySucceeds() {
		take(32 + 31);
		this.store.hold();
		take(1);
		this.store.fail(new HiLoUnavailableException("no server"));
		this.store.answerAll();
		assertThat(snapshot().lastFailure()).isNotNull();
		this.time.advance(Duration.ofSeconds(1));
		assertThat(take(32)).endsWith(96L);
		assertThat(sizes()).as("the smallest range follows an unknown outcome").containsExactly(32L, 64L, 128L, 32L);
		assertThat(take(1)).containsExactly(96L + 128 + 1);
	}

	@Test
	void bothRangesGoBackInOneReturnWhereTheSecondIsDirectlyOnTop() {
		take(32 + 40);
		assertThat(snapshot().next()).isEqualTo(new SequenceSnapshot.Range(97, 224, null, 128, this.time.now(), null));
		this.generator.release();
		assertThat(this.store.returns()).containsExactly(new RangeReturn(72, 224, 3, Duration.ofSeconds(54)));
		assertThat(this.store.max()).isEqualTo(72);
		assertThat(snapshot()).extracting(SequenceSnapshot::range, SequenceSnapshot::next, SequenceSnapshot::returned)
			.containsExactly(null, null, 152L);
		assertThat(take(1)).containsExactly(73L);
	}

	@Test
	void prefetchedRangeGoesBackAloneWhereSomebodyElseWasGrantedInBetween() {
		take(32 + 31);
		this.store.max(500);
		take(5);
		this.generator.release();
		assertThat(this.store.max()).isEqualTo(500);
		assertThat(take(1)).containsExactly(501L);
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
	void pauseWaitsForAPrefetchInFlightAndReturnsBothRanges() {
		take(32 + 31);
		this.store.hold();
		take(1);
		Callers<Boolean> pause = Callers.start(1, this.engine::pause).awaitWaiting();
		assertThat(this.store.returns()).isEmpty();
		this.store.answerAll();
		assertThat(pause.answers()).containsExactly(true);
		assertThat(this.store.max()).isEqualTo(64);
		assertThat(this.store.mostInFlight()).isEqualTo(1);
	}

	@Test
	void pauseThatTookTooLongHoldsNothingEither() {
		HiLoEngine impatient = new HiLoEngine(this.store, Class::getSimpleName, settings(32, Duration.ofMillis(50)),
				TimeSource.SYSTEM);
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
	void closeLeavesEveryWaiterItsNumber() throws InterruptedException {
		CountDownLatch joined = new CountDownLatch(1);
		CountDownLatch proceed = new CountDownLatch(1);
		ThreadLocal<Integer> readings = ThreadLocal.withInitial(() -> 0);
		Thread[] slow = new Thread[1];
		TimeSource gate = new TimeSource() {

			@Override
			public Instant now() {
				return TimeSource.SYSTEM.now();
			}

			@Override
			public long nanoTime() {
				readings.set(readings.get() + 1);
				// The third reading is that of a caller that has joined the request.
				if (Thread.currentThread() == slow[0] && readings.get() == 3) {
					joined.countDown();
					try {
						proceed.await();
					}
					catch (InterruptedException ex) {
						throw new IllegalStateException(ex);
					}
				}
				return System.nanoTime();
			}

		};
		HiLoEngine gated = new HiLoEngine(this.store, Class::getSimpleName, settings(4, 4, Duration.ofMinutes(1)),
				gate);
		take(gated.generator(), 5);
		this.store.hold();
		take(gated.generator(), 3);
		FutureTask<Long> number = new FutureTask<>(() -> gated.generator().nextId("orders"));
		slow[0] = new Thread(number);
		slow[0].start();
		joined.await();
		this.store.answer();
		assertThat(take(gated.generator(), 2)).as("9 is set aside for the waiter").containsExactly(10L, 11L);
		Callers<Boolean> close = Callers.start(1, () -> {
			gated.close();
			return true;
		}).awaitWaiting();
		this.store.answerAll();
		close.answers();
		proceed.countDown();
		assertThat(Callers.start(1, number::get).answers()).containsExactly(9L);
		assertThat(this.store.max()).isEqualTo(11);
	}

	@Test
	void resumeForgetsBothRanges() {
		take(32 + 40);
		this.store.hold();
		Callers<Boolean> pause = Callers.start(1, this.engine::pause).awaitWaiting();
		this.engine.resume();
		pause.answers();
		this.store.answerAll();
		assertThat(take(1)).containsExactly(73L);
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

	private SequenceSnapshot snapshot() {
		return Objects.requireNonNull(this.engine.snapshot().getOrDefault("shop", Map.of()).get("orders"));
	}

	private HiLoEngine engine(long initialSize) {
		return new HiLoEngine(this.store, Class::getSimpleName, settings(initialSize, Duration.ofMinutes(1)),
				this.time);
	}

	private static HiLoSettings settings(long initialSize, Duration timeout) {
		return settings(initialSize, 1_048_576, timeout);
	}

	private static HiLoSettings settings(long initialSize, long maxSize, Duration timeout) {
		return HiLoSettings.DEFAULTS.withTimeout(timeout).withSequences(1, initialSize, maxSize);
	}

}
