package io.github.hilo.stored;

import java.time.Duration;
import java.util.stream.IntStream;

import io.github.hilo.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the lines about names that nothing known uses.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownNamesTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final ManualTime time = new ManualTime();

	private final UnknownNames names = new UnknownNames(this.time, Runnable::run);

	@Test
	void namesOfAMinuteShareALine(CapturedOutput output) {
		create(0, 10_000);
		assertThat(lines(output)).as("the first does not wait").isEqualTo(1);
		this.time.advance(MINUTE);
		assertThat(lines(output)).isEqualTo(2);
		assertThat(output).contains("'name-0'", "'name-1'", "'name-10'", "and 9989 more").doesNotContain("'name-11'");
		create(20_000, 1);
		assertThat(lines(output)).as("the minute of the last line").isEqualTo(2);
		this.time.advance(MINUTE);
		assertThat(lines(output)).isEqualTo(3);
		assertThat(output).containsOnlyOnce("9989 more");
	}

	@Test
	void nameAfterAQuietMinuteIsToldAtOnce(CapturedOutput output) {
		create(0, 1);
		this.time.advance(MINUTE);
		assertThat(lines(output)).isEqualTo(1);
		create(1, 1);
		assertThat(lines(output)).isEqualTo(2);
	}

	@Test
	void namesThatWaitAreToldWhenTheProcessStops(CapturedOutput output) {
		create(0, 2);
		this.names.close();
		assertThat(output).contains("'name-0'", "'name-1'");
	}

	private void create(int first, int count) {
		IntStream.range(first, first + count)
			.mapToObj((number) -> "name-" + number)
			.forEach((name) -> this.names.created("sequence '" + name + "'"));
	}

	private static long lines(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("that no known type")).count();
	}

}
