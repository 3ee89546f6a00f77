package io.github.hilo.engine;

import java.time.Duration;
import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.store.RangeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for blocks of numbers, on a counter in memory.
 */
class NumberBlockTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final HiLoEngine engine = new HiLoEngine(this.store, Class::getSimpleName,
			EngineSettings.DEFAULTS.withTimeout(Duration.ofMinutes(1)).settings(), new ManualTime());

	private final HiLoIdGenerator generator = this.engine.generator();

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
			.withMessage(
					"A block of " + count + " numbers was asked for." + " Ask for at least 1 and at most 1048576.");
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
		assertThat(this.generator.nextIds("orders", 32)).hasSize(32).endsWith(Long.MAX_VALUE);
		this.store.max(Long.MAX_VALUE - 32);
		assertThat(this.generator.nextDocumentIds("lines", 32)).hasSize(32).endsWith("lines/9223372036854775807-A");
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

	private static long[] range(long first, long last) {
		return LongStream.rangeClosed(first, last).toArray();
	}

	private static final class Order {

	}

}
