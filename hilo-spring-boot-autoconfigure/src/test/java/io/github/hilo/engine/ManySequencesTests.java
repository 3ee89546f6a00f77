package io.github.hilo.engine;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a registry says when there are many sequences.
 */
class ManySequencesTests {

	private final SequenceRegistry registry = new SequenceRegistry(HiLoSettings.DEFAULTS, new ManualTime(),
			EngineListener.NONE);

	@Test
	void tenThousandSequencesAreWarnedOfOnce() {
		Logger logger = (Logger) LoggerFactory.getLogger(SequenceCount.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		try {
			use("shop", 1, 6_000);
			use("audit", 1, 3_999);
			use("shop", 1, 6_000);
			assertThat(lines.list).isEmpty();
			use("audit", 4_000, 12_000);
			assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
				.singleElement()
				.asString()
				.contains("10000 sequences", "'sequence4000'", "database 'audit'", "MeterFilter");
		}
		finally {
			logger.detachAppender(lines);
		}
	}

	private void use(String database, int first, int last) {
		FakeRangeStore store = new FakeRangeStore(database);
		for (int i = first; i <= last; i++) {
			this.registry.sequence(store, "sequence" + i);
		}
	}

}
