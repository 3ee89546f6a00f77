package io.github.hilo.engine;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for blocks of numbers, on a counter in memory.
 */
class NumberBlockTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final HiLoEngine engine = engine(LONG, true, this.time);

	private final HiLoIdGenerator generator = this.engine.generator();

	@Test
	void blockComesFromTheRangeInUseWhereItIsLargeEnough() {
		this.generator.nextId("orders");
		assertThat(this.generator.nextIds("orders", 10)).containsExactly(range(2, 11));
		assertThat(this.generator.nextId("orders")).isEqualTo(12);
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void blockTakesWhatIsLeftAndOneRequestForTheRest() {
		HiLoIdGenerator plain = engine(LONG, false, this.time).generator();
		plain.nextId("orders");
		assertThat(plain.nextIds("orders", 1000)).containsExactly(range(2, 1001));
		assertThat(this.store.requests()).extracting(RangeRequest::size).containsExactly(32L, 1000L - 31);
	}

	@Test
	void smallRestComesFromAUsualRange() {
		this.generator.nextIds("orders", 30);
		assertThat(this.generator.nextIds("orders", 10)).containsExactly(range(31, 40));
		assertThat(this.store.requests()).extracting(RangeRequest::size).containsExactly(32L, 64L);
		assertThat(this.generator.nextId("orders")).isEqualTo(41);
	}

	@Test
	void largeBlockSaysNothingAboutTheSizeOfTheNextRange() {
		this.generator.nextIds("orders", 1_000_000);
		this.generator.nextId("orders");
		assertThat(this.store.requests()).extracting(RangeRequest::size).containsExactly(1_000_000L, 64L);
	}

	@Test
	void blockOfABusySequenceGoesOnInTheRangeThatWasReservedAhead() {
		LongStream.range(0, 32 + 40).forEach((i) -> this.generator.nextId("orders"));
		assertThat(this.store.requests()).as("the third one was reserved ahead").hasSize(3);
		assertThat(this.generator.nextIds("orders", 50)).containsExactly(range(73, 122));
	}

	@Test
	void blockCrossesTheHalfOfABusyRangeInOnePiece() {
		LongStream.range(0, 33).forEach((i) -> this.generator.nextId("orders"));
		assertThat(this.generator.nextIds("orders", 63)).containsExactly(range(34, 96));
		assertThat(this.store.requests()).as("the next range was requested behind the half").hasSize(3);
	}

	@Test
	void blockIsInOnePieceWhereOthersTakeNumbersMeanwhile() {
		HiLoIdGenerator small = engine(LONG, true, this.time, 8).generator();
		AtomicBoolean ended = new AtomicBoolean();
		Callers<Long> singles = Callers.start(2, () -> {
			long taken = 0;
			while (!ended.get()) {
				small.nextId("orders");
				taken++;
			}
			return taken;
		});
		Callers<List<long[]>> callers = Callers.start(4,
				() -> Stream.generate(() -> small.nextIds("orders", 7)).limit(2_000).toList());
		List<long[]> blocks = callers.answers().stream().flatMap(List::stream).toList();
		ended.set(true);
		assertThat(singles.answers()).allMatch((taken) -> taken > 0);
		assertThat(blocks).hasSize(4 * 2_000).allMatch((block) -> block.length == 7 && block[6] == block[0] + 6);
		assertThat(blocks.stream().mapToLong((block) -> block[0]).distinct().count()).isEqualTo(4 * 2_000);
	}

	@Test
	void blockHasAGapWhereSomebodyElseWasGrantedARange() {
		this.generator.nextIds("orders", 31);
		this.store.max(100);
		assertThat(this.generator.nextIds("orders", 3)).containsExactly(32, 101, 102);
	}

	@Test
	void documentIdsHaveThePrefixOfTheirRanges() {
		this.generator.nextIds("orders", 31);
		this.store.serverPrefix("NorthServer/");
		assertThat(this.generator.nextDocumentIds("orders", 3)).containsExactly("orders/32-A",
				"orders/NorthServer/33-A", "orders/NorthServer/34-A");
	}

	@Test
	void typeAndHandleGiveBlocksToo() {
		assertThat(this.generator.nextIds(Order.class, 2)).containsExactly(1, 2);
		assertThat(this.generator.nextDocumentIds(Order.class, 2)).containsExactly("Order/3-A", "Order/4-A");
		assertThat(this.generator.sequence("Order").nextIds(2)).containsExactly(5, 6);
		assertThat(this.generator.forDatabase("shop").sequence(Order.class).nextDocumentIds(1))
			.containsExactly("Order/7-A");
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MIN_VALUE, -1, 0, HiLoSequence.MAX_COUNT + 1, Integer.MAX_VALUE })
	void countOutOfBoundsIsRefusedAndTakesNothing(int count) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.generator.nextIds("orders", count))
			.withMessage("A block of " + count + " numbers was asked for, of sequence 'orders'."
					+ " Ask for at least 1 and at most 1048576.");
		assertThat(this.store.requests()).isEmpty();
	}

	@Test
	void largestBlockIsOneRequest() {
		assertThat(this.generator.nextIds("orders", HiLoSequence.MAX_COUNT))
			.isEqualTo(range(1, HiLoSequence.MAX_COUNT));
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void blockMayEndAtTheHighestNumberThereIs() {
		this.store.max(Long.MAX_VALUE - 32);
		assertThat(this.generator.nextIds("orders", 30)).hasSize(30);
		assertThat(this.generator.nextIds("orders", 2)).containsExactly(Long.MAX_VALUE - 1, Long.MAX_VALUE);
	}

	@Test
	void documentIdsMayEndAtTheHighestNumberThereIs() {
		this.store.max(Long.MAX_VALUE - 32);
		assertThat(this.generator.nextDocumentIds("orders", 32)).hasSize(32).endsWith("orders/9223372036854775807-A");
	}

	@Test
	void callersThatQueueGetWhatTheyNeedFromOneRequest() {
		HiLoIdGenerator plain = engine(LONG, false, this.time).generator();
		this.store.hold();
		Callers<long[]> first = Callers.start(1, () -> plain.nextIds("orders", 1)).awaitWaiting();
		Callers<long[]> blocks = Callers.start(3, () -> plain.nextIds("orders", 40)).awaitWaiting();
		this.store.answerAll();
		assertThat(first.answers().get(0)).containsExactly(1);
		assertThat(blocks.answers().stream().flatMapToLong(Arrays::stream).sorted().toArray())
			.containsExactly(range(2, 121));
		assertThat(this.store.requests()).extracting(RangeRequest::size).containsExactly(32L, 120L - 31);
	}

	@Test
	void blockThatGetsNoRangeFailsAndItsNumbersAreNotIssuedAgain() {
		this.generator.nextIds("orders", 20);
		this.store.hold();
		Callers<long[]> caller = Callers.start(1, () -> this.generator.nextIds("orders", 100)).awaitWaiting();
		this.store.fail(new HiLoUnavailableException("lost"));
		assertThat(caller.failures()).singleElement().isInstanceOf(HiLoUnavailableException.class);
		this.store.answerAll();
		assertThat(this.generator.nextId("orders")).as("behind the request whose outcome is unknown").isEqualTo(121);
	}

	@Test
	void callerThatGivesUpLeavesItsNumbersToNobody() {
		this.generator.nextIds("orders", 20);
		this.store.hold();
		Callers<Object> interrupted = Callers
			.<Object>start(1,
					() -> assertThatExceptionOfType(HiLoUnavailableException.class)
						.isThrownBy(() -> this.generator.nextIds("orders", 100)))
			.awaitWaiting();
		interrupted.interrupt();
		assertThat(interrupted.answers()).hasSize(1);
		this.store.answerAll();
		assertThat(this.generator.nextIds("orders", 88)).containsExactly(range(33, 120));
	}

	@Test
	void pausedGeneratorReservesExactlyTheBlock() {
		this.engine.pause();
		assertThat(this.generator.nextIds("orders", 100)).containsExactly(range(1, 100));
		assertThat(this.store.max()).isEqualTo(100);
	}

	@Test
	void closedGeneratorIssuesNoBlock() {
		this.engine.close();
		assertThatIllegalStateException().isThrownBy(() -> this.generator.nextIds("orders", 2));
	}

	@Test
	void blockThatWasBegunBeforeASnapshotStartsOverAfterIt() {
		this.generator.nextIds("orders", 20);
		this.store.hold();
		Callers<long[]> caller = Callers.start(1, () -> this.generator.nextIds("orders", 40)).awaitWaiting();
		Callers<Boolean> pause = Callers.start(1, this.engine::pause).awaitWaiting();
		// As if it had taken too long.
		this.engine.resume();
		this.store.answerAll();
		assertThat(pause.answers()).hasSize(1);
		assertThat(caller.answers().get(0)).hasSize(40);
		assertThat(caller.answers().get(0)[0]).isGreaterThan(32);
	}

	private HiLoEngine engine(Duration timeout, boolean prefetch, TimeSource time) {
		return engine(timeout, prefetch, time, 1_048_576);
	}

	private HiLoEngine engine(Duration timeout, boolean prefetch, TimeSource time, long maxSize) {
		HiLoSettings settings = HiLoSettings.DEFAULTS.withTimeout(timeout)
			.withPrefetch(prefetch)
			.withSequences(1, Math.min(32, maxSize), maxSize);
		return new HiLoEngine(this.store, Class::getSimpleName, settings, time);
	}

	private static long[] range(long first, long last) {
		return LongStream.rangeClosed(first, last).toArray();
	}

	private static final class Order {

	}

}
