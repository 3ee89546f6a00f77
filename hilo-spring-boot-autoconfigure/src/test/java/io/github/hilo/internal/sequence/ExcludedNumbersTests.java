package io.github.hilo.internal.sequence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ExcludedNumbers}.
 */
class ExcludedNumbersTests {

	private final ExcludedNumbers excluded = new ExcludedNumbers();

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void isWhatASetOfNumbersWouldBe(long seed) {
		Random random = new Random(seed);
		TreeSet<Long> expected = new TreeSet<>();
		for (int i = 0; i < 200; i++) {
			long first = 1L + random.nextInt(300);
			long last = first + random.nextInt(4);
			this.excluded.add(first, last);
			LongStream.rangeClosed(first, last).forEach(expected::add);
			if (random.nextInt(20) == 0) {
				long passed = random.nextInt(40);
				this.excluded.forgetBelow(passed);
				expected.removeIf((number) -> number < passed && this.excluded.count(number, number) == 0);
			}
			assertThat(numbers(320)).containsExactlyElementsOf(expected);
			long from = 1L + random.nextInt(320);
			long to = from + random.nextInt(50);
			assertThat(this.excluded.count(from, to)).isEqualTo(expected.subSet(from, true, to, true).size());
			assertThat(LongStream.rangeClosed(1, 320).filter(this.excluded::has).boxed())
				.containsExactlyElementsOf(expected);
		}
	}

	private List<Long> numbers(long max) {
		List<Long> numbers = new ArrayList<>();
		long next = 1;
		while (next <= max) {
			long first = this.excluded.firstIssuable(next);
			LongStream.range(next, Math.min(first, max + 1)).forEach(numbers::add);
			next = (first > max) ? first : this.excluded.lastIssuable(first, max) + 1;
		}
		return numbers;
	}

	@Test
	void forgetsNoneOfManyIntervals() {
		List<Long> chosen = LongStream.rangeClosed(1, 10_000)
			.map((i) -> 2 * i)
			.boxed()
			.collect(Collectors.toCollection(ArrayList::new));
		Collections.shuffle(chosen, new Random(1));
		chosen.forEach((number) -> this.excluded.add(number, number));
		assertThat(chosen).allMatch((number) -> this.excluded.count(number, number) == 1);
		assertThat(chosen).allMatch(this.excluded::has);
	}

	@Test
	void joinsThoseThatAreNearComparedToTheirDistance() {
		LongStream.rangeClosed(1, 1_000)
			.forEach((i) -> this.excluded.add(1_000_000_000L + 1_000_000 * i, 1_000_000_000L + 1_000_000 * i));
		List.of(5L, 9L, 200L).forEach((number) -> this.excluded.add(number, number));
		this.excluded.add(1L << 62, 1L << 62);
		assertThat(LongStream.range(1, 1_000_000).filter(this.excluded::has).boxed()).containsExactly(5L, 9L, 200L);
		assertThat(this.excluded.count(1, 1L << 62)).isLessThan(1_000_000_000L);
	}

	@Test
	void aHostileSetOfNumbersJoinsNoGapThatIsLargeComparedToItsDistance() {
		LongStream.rangeClosed(1, 100_000).forEach((i) -> this.excluded.add(i * (1L << 45), i * (1L << 45)));
		assertThat(this.excluded.count(1, (1L << 45) - 1)).isZero();
		assertThat(this.excluded.firstIssuable(1L << 45)).isEqualTo((1L << 45) + 1);
	}

}
