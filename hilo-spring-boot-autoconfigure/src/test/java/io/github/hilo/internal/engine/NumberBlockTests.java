package io.github.hilo.internal.engine;

import java.util.stream.LongStream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for blocks of numbers, on a counter in memory.
 */
class NumberBlockTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final HiLoEngine engine = EngineSettings.PATIENT.engine(this.store, new ManualTime());

	private final HiLoIdGenerator generator = this.engine.generator();

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
	void largestBlockIsOneRequest() {
		assertThat(this.generator.nextIds("orders", HiLoSequence.MAX_COUNT))
			.isEqualTo(range(1, HiLoSequence.MAX_COUNT));
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void blockMayEndAtTheHighestNumberThereIs() {
		this.store.max(HiLoIdGenerator.MAX_FLOOR - 32);
		assertThat(this.generator.nextIds("orders", 32)).hasSize(32).endsWith(HiLoIdGenerator.MAX_FLOOR);
		this.store.max(HiLoIdGenerator.MAX_FLOOR - 32);
		assertThat(this.generator.nextDocumentIds("lines", 32)).hasSize(32)
			.endsWith("lines/" + HiLoIdGenerator.MAX_FLOOR + "-A");
	}

	private static long[] range(long first, long last) {
		return LongStream.rangeClosed(first, last).toArray();
	}

}
