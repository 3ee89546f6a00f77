package io.github.hilo.engine;

import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.sequence.HiLoSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a engine says when there are many sequences.
 */
@ExtendWith(OutputCaptureExtension.class)
class ManySequencesTests {

	private final HiLoEngine engine = new HiLoEngine(new FakeRangeStore("shop"), Class::getSimpleName,
			HiLoSettings.DEFAULTS, new ManualTime());

	@Test
	void thousandSequencesAreWarnedOfOnce(CapturedOutput output) {
		use("shop", 1, 600);
		use("audit", 1, 399);
		use("shop", 1, 600);
		assertThat(output).doesNotContain("sequences");
		use("audit", 400, 1_200);
		assertThat(output).containsOnlyOnce("1000 sequences")
			.contains("'sequence400'", "database 'audit'", "MeterFilter");
	}

	private void use(String database, int first, int last) {
		FakeRangeStore store = new FakeRangeStore(database);
		for (int i = first; i <= last; i++) {
			this.engine.sequence(store, "sequence" + i);
		}
	}

}
