package io.github.hilo.internal.log;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReservationLog}.
 */
class ReservationLogTests {

	private static final String ORDERS = "sequence 'orders' of database 'shop'";

	private static final Duration LIMIT = Duration.ofMinutes(10);

	private final Logger logger = (Logger) LoggerFactory.getLogger(ReservationLog.NAME);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final ManualTime time = new ManualTime();

	private final ReservationLog log = new ReservationLog(this.time, () -> null);

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final RangeSequence orders = EngineSettings.DEFAULTS.engine(this.store, this.time)
		.sequence(this.store, "orders");

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.setAdditive(false);
		this.logger.setLevel(Level.DEBUG);
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void ignore() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
		this.logger.setAdditive(true);
	}

	@Test
	void eachOutageIsOneWarningAndItsEndOneInformation() {
		Place slow = Place.ofType("slow", Place.ID, IdForm.NUMBER);
		this.log.accept(new SequenceEvent.OutageBegan(this.orders, null, "away"));
		this.log.accept(new SequenceEvent.OutageBegan(this.orders, slow, "no answer"));
		this.log.accept(new SequenceEvent.OutageEnded(this.orders, slow, 2, Duration.ZERO));
		this.log.accept(new SequenceEvent.OutageEnded(this.orders, null, 40, Duration.ofSeconds(61)));
		assertLines("WARN Reservations of " + ORDERS + " began to fail: away",
				"WARN Finds in collection 'slow' for " + ORDERS + " began to fail: no answer",
				"INFO Finds in collection 'slow' for " + ORDERS + " succeed again after 0s, in which 2 failed",
				"INFO Reservations of " + ORDERS + " succeed again after 61s, in which 40 failed");
	}

	@Test
	void everyOperationIsLoggedAtLevelDebug() {
		reserved();
		returned(true, null, false);
		returned(false, null, false);
		this.log.accept(new SequenceEvent.RaiseEnded(this.orders, 500, 532L, Duration.ZERO));
		this.log.accept(new SequenceEvent.RaiseEnded(this.orders, 500, null, Duration.ZERO));
		this.log.accept(new SequenceEvent.Discarded(this.orders, 2, 32, "the counter was raised"));
		assertLines("DEBUG Reserved 1 to 32 of " + ORDERS + " in 4ms", "DEBUG Returned 2 to 32 of " + ORDERS + " in 0s",
				"DEBUG Returned nothing: 2 to 32 of " + ORDERS + " become a gap, after 0s",
				"DEBUG Raised the counter of " + ORDERS + " to 500 at least; it stands at 532, after 0s",
				"DEBUG The counter of " + ORDERS + " may not have been raised to 500, after 0s",
				"DEBUG Numbers 2 to 32 of " + ORDERS + " become a gap: the counter was raised");
	}

	@Test
	void numbersThatCouldNotBeReturnedAreAWarningUnlessTheEngineLogsThemAtOnce() {
		returned(false, new IllegalStateException("away"), false);
		returned(false, new IllegalStateException("away"), true);
		assertLines("WARN Numbers 2 to 32 become a gap. away", "DEBUG Numbers 2 to 32 become a gap. away");
	}

	@Test
	void callThatWaitedForMoreThanATenthOfItsTimeSaysWhatFor() {
		waited(Duration.ofSeconds(61));
		waited(Duration.ofMinutes(1));
		assertLines("DEBUG A call for " + ORDERS + " waited 61s for a range");
	}

	private void reserved() {
		this.log.accept(new SequenceEvent.ReservationEnded(this.orders, this, new ReservedRange(1, 32, "", List.of()),
				null, Duration.ofMillis(4)));
	}

	private void returned(boolean returned, @Nullable RuntimeException failure, boolean stopping) {
		RangeReturn unused = new RangeReturn(1, 32, List.of(), new Deadline(LIMIT, this.time));
		this.log.accept(new SequenceEvent.ReturnEnded(this.orders, unused, returned, failure, Duration.ZERO, stopping));
	}

	private void waited(Duration time) {
		this.log.accept(new SequenceEvent.Waited(this.orders, time, Deadline.Phase.RANGE, LIMIT));
	}

	private void assertLines(String... expected) {
		assertThat(this.lines.list.stream().map((line) -> line.getLevel() + " " + line.getFormattedMessage()))
			.containsExactly(expected);
	}

}
