package io.github.hilo.internal.sequence;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Many numbers above the counter, chosen by the application or stored by others, cost few
 * of the next ones. The clock stands still, as at full speed, so that ranges grow as fast
 * as they can.
 */
class FarNumbersTests {

	private static final long COUNTER = 1_000_000;

	/**
	 * Finds the highest one of some numbers that is stored, or returns 0.
	 */
	private LongBinaryOperator stored = (first, last) -> 0;

	private final FakeRangeStore store = new FakeRangeStore("shop") {

		@Override
		protected long highestStored(Place place, long first, long last) {
			return FarNumbersTests.this.stored.applyAsLong(first, last);
		}

	};

	private final RangeSequence sequence = new RangeSequence("orders", this.store, EngineSettings.DEFAULTS.settings(),
			new Places(), ChosenInTests.of(new ManualTime()), () -> {
			}, new ManualTime(), new AtomicReference<>(RangeSequence.Mode.RUNNING), (event) -> {
			}, Runnable::run);

	private final PlacedSequence orders = this.sequence.placed(Place.ofType("orders", Place.ID, IdForm.NUMBER));

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void fewOfTheNextMillionAreLost(String what, boolean used, List<Long> chosen) {
		this.store.max(COUNTER);
		if (used) {
			this.orders.nextId();
		}
		chosen.forEach(this.sequence::exclude);
		Set<Long> issued = LongStream.generate(this.orders::nextId)
			.takeWhile((number) -> number <= 2 * COUNTER)
			.boxed()
			.collect(Collectors.toSet());
		assertThat(issued).hasSizeBetween(980_000, 1_000_000);
		assertThat(chosen).noneMatch(issued::contains);
	}

	static Stream<Arguments> fewOfTheNextMillionAreLost() {
		LongStream updates = new Random(1).longs(1_000_000, 1, COUNTER + 1);
		List<Long> shuffled = LongStream.rangeClosed(1, 100_000)
			.map((i) -> COUNTER + i * 20_000)
			.boxed()
			.collect(Collectors.toList());
		Collections.shuffle(shuffled, new Random(1));
		return Stream.of(
				arguments("a thousand numbers, far apart", false,
						LongStream.range(0, 1_000).mapToObj((i) -> COUNTER + 100 + i * 1_000_000_000).toList()),
				arguments("a hundred thousand numbers, less far apart", true, shuffled),
				arguments("a number far above, and a million updates", false,
						LongStream.concat(LongStream.of(1L << 40), updates).boxed().toList()));
	}

	/**
	 * A counter far above 0 begins in the middle of many of them.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 0, 1_000_000_000 })
	void randomIntsThatWereChosenLeaveMostOfThem(long counter) {
		this.store.max(counter);
		ints().forEach(this.sequence::exclude);
		assertThat(counterAfterThreeMillion() - counter).isLessThan(12_000_000);
	}

	@Test
	void randomIntsThatAreStoredLeaveMostOfThem() {
		NavigableSet<Long> ints = ints().boxed().collect(Collectors.toCollection(TreeSet::new));
		this.stored = (first, last) -> {
			Long highest = ints.floor(last);
			return (highest != null && highest >= first) ? highest : 0;
		};
		assertThat(counterAfterThreeMillion()).isLessThan(12_000_000);
	}

	private static LongStream ints() {
		return new Random(1).longs(100_000, 1, Integer.MAX_VALUE);
	}

	private long counterAfterThreeMillion() {
		LongStream.range(0, 3_000_000).forEach((i) -> this.orders.nextId());
		return this.store.max();
	}

	/**
	 * Sixteen ranges grow, and the others have the largest size.
	 */
	@Test
	void documentAtTheEndOfEachOfTheNextFortyRangesLeavesMostNumbers() {
		int[] asked = { 0 };
		this.stored = (first, last) -> (asked[0]++ < 40) ? last : 0;
		assertThat(this.orders.nextId()).isEqualTo(32 * ((1 << 16) - 1) + 24 * (1 << 20) + 1);
	}

}
