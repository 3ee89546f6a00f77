package io.github.hilo.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.fixture.Callers;
import io.github.hilo.store.ReservedRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RangeCursor}.
 */
class RangeCursorTests {

	@ParameterizedTest
	@ValueSource(longs = { 1, 33, Long.MAX_VALUE - 2 })
	void takesEachNumberOfTheRangeOnceAndThenNone(long min) {
		RangeCursor cursor = cursor(min, min + 2);
		assertThat(takes(cursor, 3)).containsExactly(min, min + 1, min + 2);
		assertThat(takes(cursor, 100)).containsOnly(RangeCursor.NONE);
		assertThat(cursor.lastTaken()).isEqualTo(min + 2);
	}

	@Test
	void sealReportsTheLastNumberTakenAndEndsTheRange() {
		RangeCursor cursor = cursor(33, 64);
		takes(cursor, 8);
		assertThat(cursor.seal()).isEqualTo(40);
		assertThat(takes(cursor, 3)).containsOnly(RangeCursor.NONE);
	}

	@Test
	void sealOfAnUntouchedRangeReportsTheNumberBeforeIt() {
		assertThat(cursor(33, 64).seal()).isEqualTo(32);
	}

	@Test
	void sealOfAnOvershotRangeReportsItsEnd() {
		RangeCursor cursor = cursor(Long.MAX_VALUE - 1, Long.MAX_VALUE);
		takes(cursor, 10);
		assertThat(cursor.seal()).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void emptyCursorHasNothing() {
		RangeCursor cursor = RangeCursor.empty();
		assertThat(cursor.take()).isEqualTo(RangeCursor.NONE);
		assertThat(cursor.seal()).isZero();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, Long.MAX_VALUE - 20_000 })
	void takersAndASealNeverGetTheSameNumber(long min) {
		for (int round = 0; round < 200; round++) {
			long start = min + round;
			RangeCursor cursor = cursor(start, start + 9_999);
			Callers<List<Long>> takers = Callers.start(3, () -> {
				List<Long> taken = new ArrayList<>();
				for (long n = cursor.take(); n != RangeCursor.NONE; n = cursor.take()) {
					taken.add(n);
				}
				return taken;
			});
			long last = cursor.seal();
			List<Long> taken = takers.answers().stream().flatMap(List::stream).sorted().toList();
			assertThat(taken).containsExactlyElementsOf(LongStream.rangeClosed(start, last).boxed().toList());
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 33, Long.MAX_VALUE - 4 })
	void takesSeveralNumbersAtOnceOrNone(long min) {
		RangeCursor cursor = cursor(min, min + 4);
		assertThat(cursor.takeAll(3)).isEqualTo(min);
		assertThat(cursor.takeAll(3)).isEqualTo(RangeCursor.NONE);
		assertThat(cursor.lastTaken()).as("nothing was taken in vain").isEqualTo(min + 2);
		assertThat(cursor.takeAll(2)).isEqualTo(min + 3);
		assertThat(takes(cursor, 3)).containsOnly(RangeCursor.NONE);
		assertThat(cursor.takeAll(1)).isEqualTo(RangeCursor.NONE);
		assertThat(cursor.seal()).isEqualTo(min + 4);
		assertThat(cursor.takeAll(1)).isEqualTo(RangeCursor.NONE);
	}

	@Test
	void takersOfOneAndOfSeveralNeverGetTheSameNumber() {
		for (int round = 0; round < 100; round++) {
			RangeCursor cursor = cursor(1, 9_999);
			Callers<List<Long>> single = Callers.start(2, () -> takesUntilNone(cursor, 1));
			Callers<List<Long>> several = Callers.start(2, () -> takesUntilNone(cursor, 7));
			assertThat(Stream.of(single, several)
				.flatMap((callers) -> callers.answers().stream())
				.flatMap(List::stream)
				.sorted()).containsExactlyElementsOf(LongStream.rangeClosed(1, 9_999).boxed().toList());
		}
	}

	@Test
	void documentIdHasThePrefixAndTagOfTheRange() {
		RangeCursor cursor = RangeCursor
			.first(new RangeCursor.Held(new ReservedRange(1, 32, "NorthServer/", "grant", null, 0), Instant.EPOCH,
					"orders/NorthServer/", "-B"), 32);
		assertThat(cursor.documentId(cursor.take())).isEqualTo("orders/NorthServer/1-B");
	}

	@Test
	void segmentsOfARangeFollowEachOther() {
		RangeCursor.Held held = new RangeCursor.Held(
				new ReservedRange(Long.MAX_VALUE - 4, Long.MAX_VALUE, "", "grant", null, 0), Instant.EPOCH, "", "");
		RangeCursor first = RangeCursor.first(held, 2);
		assertThat(takes(first, 3)).containsExactly(Long.MAX_VALUE - 4, Long.MAX_VALUE - 3, RangeCursor.NONE);
		RangeCursor rest = first.rest(first.end() + 1, 3);
		assertThat(takes(rest, 4)).containsExactly(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1, Long.MAX_VALUE,
				RangeCursor.NONE);
		assertThat(rest.rest(rest.seal() + 1, 0).lastTaken()).isEqualTo(Long.MAX_VALUE);
	}

	private static RangeCursor cursor(long min, long max) {
		return RangeCursor.first(
				new RangeCursor.Held(new ReservedRange(min, max, "", "grant", null, 0), Instant.EPOCH, "orders/", "-A"),
				max - min + 1);
	}

	private static List<Long> takesUntilNone(RangeCursor cursor, int count) {
		List<Long> taken = new ArrayList<>();
		for (long n = take(cursor, count); n != RangeCursor.NONE; n = take(cursor, count)) {
			LongStream.range(n, n + count).forEach(taken::add);
		}
		return taken;
	}

	private static long take(RangeCursor cursor, int count) {
		return (count == 1) ? cursor.take() : cursor.takeAll(count);
	}

	private static List<Long> takes(RangeCursor cursor, int count) {
		return LongStream.range(0, count).mapToObj((i) -> cursor.take()).toList();
	}

}
