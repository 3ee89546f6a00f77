package io.github.hilo.internal.sequence;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RangeSizing}.
 */
class RangeSizingTests {

	private final RangeSizing sizing = new RangeSizing(32, 1_048_576, 2);

	@Test
	void firstRangeIsTheSmallest() {
		assertThat(this.sizing.nextSize(0)).isEqualTo(32);
	}

	@ParameterizedTest
	@CsvSource({ "64, 0, 128", "64, 29999, 128", "64, 30000, 64", "64, 45000, 64", "64, 60000, 64", "64, 60001, 32",
			"32, 3600000, 32", "1, 0, 32", "1, 45000, 32", "33, 60001, 32", "1048576, 1, 1048576", "800000, 1, 1048576",
			"1048576, 60001, 524288" })
	void nextRangeFollowsRavenDbsRule(long lastSize, long lastedMillis, long expected) {
		this.sizing.reserved(lastSize);
		assertThat(this.sizing.nextSize(Duration.ofMillis(lastedMillis).toNanos())).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "64, 0, 1024", "64, 1875, 1024", "64, 2000, 960", "64, 10000, 192", "64, 29999, 128", "64, 30000, 64",
			"1, 0, 32", "1048576, 0, 1048576", "100000, 0, 1048576" })
	void rangeThatMayGrowBySixteenLastsThirtySecondsAtTheSamePace(long lastSize, long lastedMillis, long expected) {
		RangeSizing sizing = new RangeSizing(32, 1_048_576, 16);
		sizing.reserved(lastSize);
		assertThat(sizing.nextSize(Duration.ofMillis(lastedMillis).toNanos())).isEqualTo(expected);
	}

	@Test
	void resetStartsOverWithTheSmallestRange() {
		this.sizing.reserved(4096);
		this.sizing.reset();
		assertThat(this.sizing.nextSize(0)).isEqualTo(32);
	}

	@Test
	void largestSizeIsReachedWithoutOverflow() {
		RangeSizing large = new RangeSizing(1, Long.MAX_VALUE, 2);
		large.reserved(Long.MAX_VALUE / 2 + 1);
		assertThat(large.nextSize(0)).isEqualTo(Long.MAX_VALUE);
	}

}
