package io.github.hilo.internal.sequence;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

	@ParameterizedTest
	@CsvSource({ "0, 32", "8, 40", "40, 64" })
	void sealReportsTheLastNumberTakenAndEndsTheRange(int takes, long last) {
		RangeCursor cursor = cursor(33, 64);
		takes(cursor, takes);
		assertThat(cursor.seal()).isEqualTo(last);
		assertThat(takes(cursor, 3)).containsOnly(RangeCursor.NONE);
	}

	@Test
	void emptyCursorHasNothing() {
		RangeCursor cursor = RangeCursor.EMPTY;
		assertThat(cursor.take()).isEqualTo(RangeCursor.NONE);
		assertThat(cursor.seal()).isZero();
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
	void documentIdHasThePrefixAndTagOfTheRange() {
		RangeCursor cursor = new RangeCursor(held(new ReservedRange(1, 32, "NorthServer/", List.of("grant"))), 1, 32);
		assertThat(cursor.documentId(cursor.take())).isEqualTo("orders/NorthServer/1-A");
	}

	@Test
	void segmentsOfARangeFollowEachOther() {
		HeldRange held = held(new ReservedRange(Long.MAX_VALUE - 4, Long.MAX_VALUE, "", List.of("grant")));
		RangeCursor first = new RangeCursor(held, held.range().min(), 2);
		assertThat(takes(first, 3)).containsExactly(Long.MAX_VALUE - 4, Long.MAX_VALUE - 3, RangeCursor.NONE);
		RangeCursor rest = new RangeCursor(held, first.end() + 1, 3);
		assertThat(takes(rest, 4)).containsExactly(Long.MAX_VALUE - 2, Long.MAX_VALUE - 1, Long.MAX_VALUE,
				RangeCursor.NONE);
		assertThat(new RangeCursor(held, rest.seal() + 1, 0).lastTaken()).isEqualTo(Long.MAX_VALUE);
	}

	private static RangeCursor cursor(long min, long max) {
		return new RangeCursor(held(new ReservedRange(min, max, "", List.of("grant"))), min, max - min + 1);
	}

	static HeldRange held(ReservedRange range) {
		return new HeldRange(range, Instant.EPOCH, DocumentIdFormat.of("orders", "/", "A", 1), Places.NONE);
	}

	private static List<Long> takes(RangeCursor cursor, int count) {
		return LongStream.range(0, count).mapToObj((i) -> cursor.take()).toList();
	}

}
