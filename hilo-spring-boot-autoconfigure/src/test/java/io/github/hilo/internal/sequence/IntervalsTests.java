package io.github.hilo.internal.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Intervals}.
 */
class IntervalsTests {

	private final Intervals intervals = new Intervals();

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void areWhatASetOfNumbersWouldBe(long seed) {
		Random random = new Random(seed);
		TreeSet<Long> expected = new TreeSet<>();
		for (int i = 0; i < 200; i++) {
			long first = 1L + random.nextInt(300);
			long last = first + random.nextInt(4);
			this.intervals.add(first, last);
			LongStream.rangeClosed(first, last).forEach(expected::add);
			if (random.nextInt(20) == 0) {
				long below = this.intervals.firstMissing(1L + random.nextInt(40));
				this.intervals.removeBelow(below);
				expected.headSet(below).clear();
			}
			assertThat(numbers(320)).containsExactlyElementsOf(expected);
			assertThat(LongStream.rangeClosed(1, 320).filter(this.intervals::has).boxed())
				.containsExactlyElementsOf(expected);
			assertThat(this.intervals.count()).isEqualTo(expected.size());
			assertThat(this.intervals.highest()).isEqualTo(expected.isEmpty() ? 0 : expected.last());
			long from = 1L + random.nextInt(320);
			long to = from + random.nextInt(50);
			Intervals part = new Intervals();
			this.intervals.addTo(part, from, to);
			assertThat(LongStream.rangeClosed(1, 400).filter(part::has).boxed())
				.containsExactlyElementsOf(expected.subSet(from, true, to, true));
		}
	}

	private List<Long> numbers(long max) {
		List<Long> numbers = new ArrayList<>();
		long next = 1;
		while (next <= max) {
			long first = this.intervals.firstMissing(next);
			LongStream.range(next, Math.min(first, max + 1)).forEach(numbers::add);
			next = (first > max) ? first : this.intervals.lastMissing(first, max) + 1;
		}
		return numbers;
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 10, 99 })
	void closingTheSmallestGapsLosesNoNumber(int most) {
		Random random = new Random(most);
		long[] numbers = random.longs(100, 1, 10_000).sorted().distinct().toArray();
		LongStream.of(numbers).forEach((number) -> this.intervals.add(number, number));
		long[] gaps = LongStream.range(1, numbers.length)
			.map((i) -> numbers[(int) i] - numbers[(int) i - 1] - 1)
			.filter((gap) -> gap > 0)
			.sorted()
			.toArray();
		int before = this.intervals.size();
		Intervals.reduce(List.of(this.intervals), most);
		assertThat(this.intervals.size()).isEqualTo(Math.min(before, most));
		assertThat(LongStream.of(numbers)).allMatch(this.intervals::has);
		assertThat(this.intervals.count())
			.isEqualTo(numbers.length + LongStream.of(gaps).limit(Math.max(0, before - most)).sum());
	}

	@Test
	void ofEqualGapsTheHighestAreClosed() {
		LongStream.rangeClosed(1, 10).forEach((i) -> this.intervals.add(10 * i, 10 * i));
		Intervals.reduce(List.of(this.intervals), 7);
		assertThat(LongStream.rangeClosed(10, 69).filter(this.intervals::has)).hasSize(6);
		assertThat(LongStream.rangeClosed(70, 100)).allMatch(this.intervals::has);
	}

	@Test
	void gapsOfSeveralSetsAreComparedWithEachOther() {
		Intervals other = new Intervals();
		LongStream.rangeClosed(1, 10).forEach((i) -> this.intervals.add(10 * i, 10 * i));
		LongStream.rangeClosed(1, 10).forEach((i) -> other.add(20 * i, 20 * i));
		Intervals.reduce(List.of(other, this.intervals), 12);
		assertThat(this.intervals.size()).isEqualTo(2);
		assertThat(other.size()).isEqualTo(10);
		Intervals.reduce(List.of(other, this.intervals), 1);
		assertThat(this.intervals.size() + other.size()).as("one of each is left").isEqualTo(2);
		Intervals.reduce(List.of(other, this.intervals), 1);
		assertThat(this.intervals.size() + other.size()).as("no gap is left").isEqualTo(2);
	}

}
