package io.github.hilo.stored;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the counters of names that nothing uses.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownNamesTests {

	@Test
	void tenNamesOfAProcessArePointedOut(CapturedOutput output) {
		UnknownNames names = new UnknownNames();
		for (int number = 1; number <= 10_000; number++) {
			names.created("sequence 'name-" + number + "'");
		}
		assertThat(output.toString().lines().filter((line) -> line.contains(" WARN "))).hasSize(11)
			.last()
			.asString()
			.contains("more than 10 sequences");
		assertThat(output).contains("'name-1'", "'name-10'").doesNotContain("'name-11'");
	}

}
