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
 * Tests for {@link LeftOut}.
 */
class LeftOutTests {

	private final LeftOut leftOut = new LeftOut();

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void isWhatASetOfNumbersWouldBe(long seed) {
		Random random = new Random(seed);
		TreeSet<Long> expected = new TreeSet<>();
		for (int i = 0; i < 200; i++) {
			long first = 1L + random.nextInt(300);
			long last = first + random.nextInt(4);
			this.leftOut.add(first, last);
			LongStream.rangeClosed(first, last).forEach(expected::add);
			if (random.nextInt(20) == 0) {
				long passed = random.nextInt(40);
				this.leftOut.forgetBelow(passed);
				expected.removeIf((number) -> number < passed && this.leftOut.count(number, number) == 0);
			}
			assertThat(numbers(320)).containsExactlyElementsOf(expected);
			long from = 1L + random.nextInt(320);
			long to = from + random.nextInt(50);
			assertThat(this.leftOut.count(from, to)).isEqualTo(expected.subSet(from, true, to, true).size());
			assertThat(this.leftOut.highest()).isEqualTo(expected.isEmpty() ? 0 : expected.last());
		}
	}

	private List<Long> numbers(long max) {
		List<Long> numbers = new ArrayList<>();
		long next = 1;
		while (next <= max) {
			long first = this.leftOut.firstIssuable(next);
			LongStream.range(next, Math.min(first, max + 1)).forEach(numbers::add);
			next = (first > max) ? first : this.leftOut.lastIssuable(first, max) + 1;
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
		chosen.forEach((number) -> this.leftOut.add(number, number));
		assertThat(chosen).allMatch((number) -> this.leftOut.count(number, number) == 1);
		assertThat(this.leftOut.highest()).isEqualTo(20_000);
	}

	@Test
	void joinsTheNearestOfTooManyIntervals() {
		LongStream.rangeClosed(1, 1_000).forEach((i) -> this.leftOut.add(100 * i, 100 * i));
		this.leftOut.add(5_050, 5_050);
		assertThat(this.leftOut.count(1, 200_000)).as("one gap of 50 is lost").isEqualTo(1_001 + 49);
	}

}
