package io.github.hilo.internal.text;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

class TimeoutsTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0s", "PT10S, 10s", "PT90S, 90s", "PT60S, 1m", "PT2M, 2m", "PT3H, 3h", "PT90M, 90m",
			"P365D, 365d", "PT0.02S, 20ms", "PT1.5S, 1500ms", "PT0.000001S, 1us", "PT1.000000001S, 1000000001ns",
			"PT-0.5S, -500ms", "PT-2M, -2m" })
	void durationIsReadableAndCanBeConfiguredLikeThat(Duration duration, String text) {
		assertThat(Timeouts.readable(duration)).isEqualTo(text);
		assertThat(DurationStyle.detectAndParse(text)).isEqualTo(duration);
	}

	@Test
	void propertyIsNamedWithItsValue() {
		assertThat(Timeouts.named(Duration.ofSeconds(10))).isEqualTo("hilo.timeout (10s)");
	}

}
