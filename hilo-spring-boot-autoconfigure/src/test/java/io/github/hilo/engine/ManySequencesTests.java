package io.github.hilo.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a registry says when there are many sequences.
 */
class ManySequencesTests {

	private final SequenceRegistry registry = new SequenceRegistry(HiLoSettings.DEFAULTS, new ManualTime(),
			EngineListener.NONE);

	@Test
	void tenThousandSequencesAreWarnedOfOnce() {
		Logger logger = Logger.getLogger(SequenceCount.class.getName());
		List<LogRecord> records = new CopyOnWriteArrayList<>();
		Handler handler = new Handler() {

			@Override
			public void publish(LogRecord record) {
				records.add(record);
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
		logger.addHandler(handler);
		try {
			use("shop", 1, 6_000);
			use("audit", 1, 3_999);
			use("shop", 1, 6_000);
			assertThat(records).isEmpty();
			use("audit", 4_000, 12_000);
			assertThat(records).extracting(LogRecord::getMessage)
				.singleElement()
				.asString()
				.contains("10000 sequences", "'sequence4000'", "database 'audit'", "MeterFilter");
		}
		finally {
			logger.removeHandler(handler);
		}
	}

	private void use(String database, int first, int last) {
		FakeRangeStore store = new FakeRangeStore(database);
		for (int i = first; i <= last; i++) {
			this.registry.sequence(store, "sequence" + i);
		}
	}

}
