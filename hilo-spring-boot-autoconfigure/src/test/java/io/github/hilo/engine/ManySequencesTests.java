package io.github.hilo.engine;

import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a registry says when there are many sequences.
 */
@ExtendWith(OutputCaptureExtension.class)
class ManySequencesTests {

	private final SequenceRegistry registry = new SequenceRegistry(HiLoSettings.DEFAULTS, new ManualTime(),
			EngineListener.NONE);

	@Test
	void tenThousandSequencesAreWarnedOfOnce(CapturedOutput output) {
		use("shop", 1, 6_000);
		use("audit", 1, 3_999);
		use("shop", 1, 6_000);
		assertThat(output).doesNotContain("sequences");
		use("audit", 4_000, 12_000);
		assertThat(output).containsOnlyOnce("10000 sequences")
			.contains("'sequence4000'", "database 'audit'", "MeterFilter");
	}

	private void use(String database, int first, int last) {
		FakeRangeStore store = new FakeRangeStore(database);
		for (int i = first; i <= last; i++) {
			this.registry.sequence(store, "sequence" + i);
		}
	}

}
