package io.github.hilo.internal.log;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import org.awaitility.Awaitility;
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

	private final Logger logger = (Logger) LoggerFactory.getLogger(ReservationLog.NAME);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final ManualTime time = new ManualTime();

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final HiLoEngine engine = EngineSettings.DEFAULTS.withTimeout(Duration.ofMinutes(10))
		.withSequences(1, 32, 64)
		.engine(this.store, this.time, new ReservationLog(this.time, () -> null));

	private final HiLoIdGenerator generator = this.engine.generator();

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.setAdditive(false);
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void ignore() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
		this.logger.setAdditive(true);
	}

	@Test
	void failuresAreOneWarningAndTheirEndOneInformation() {
		this.store.hold();
		failFor(8);
		this.time.advance(Duration.ofSeconds(40));
		failFor(8);
		this.time.advance(Duration.ofSeconds(21));
		Callers<Long> served = Callers.start(8, () -> this.generator.nextId("orders")).awaitWaiting();
		this.store.answerAll();
		served.answers();
		this.generator.nextIds("orders", 100);
		assertLines(
				"WARN Reservations of " + ORDERS + " began to fail: No range for " + ORDERS
						+ ": java.lang.IllegalStateException: away",
				"INFO Reservations of " + ORDERS + " succeed again after 61s, in which 2 failed");
	}

	@Test
	void eachOutageHasLinesOfItsOwn() {
		this.store.hold();
		failFor(1);
		this.store.answerAll();
		this.generator.nextId("orders");
		this.generator.nextIds("orders", 31);
		this.store.hold();
		failFor(1);
		awaitLines(3);
		assertThat(lines()).extracting((line) -> line.substring(0, 4)).containsExactly("WARN", "INFO", "WARN");
	}

	@Test
	void numbersThatCouldNotBeReturnedAreAWarning() {
		this.generator.nextId("orders");
		this.store.hold();
		Callers<Boolean> release = Callers.start(1, () -> {
			this.generator.release();
			return true;
		}).awaitWaiting();
		this.store.fail(new IllegalStateException("away"));
		release.answers();
		awaitLines(1);
		assertThat(lines()).singleElement()
			.asString()
			.startsWith(
					"WARN Numbers 2 to 32 become a gap. Unused numbers of " + ORDERS + " may not have been returned: ")
			.endsWith("away");
	}

	@Test
	void everyOperationIsLoggedAtLevelDebug() {
		this.logger.setLevel(Level.DEBUG);
		callFor(Duration.ofMillis(4));
		this.generator.release();
		this.generator.ensureAtLeast("orders", 500);
		this.generator.nextId("orders");
		this.store.grantToSomebodyElseAndTakeBack();
		this.generator.release();
		assertLines("DEBUG Reserved 1 to 32 of " + ORDERS + " in 4ms", "DEBUG Returned 2 to 32 of " + ORDERS + " in 0s",
				"DEBUG Raised the counter of " + ORDERS + " to 500 at least; it stands at 500, after 0s",
				"DEBUG Reserved 501 to 532 of " + ORDERS + " in 0s",
				"DEBUG Returned nothing: 502 to 532 of " + ORDERS + " become a gap, after 0s");
	}

	@Test
	void callThatWaitedLongSaysWhatFor() {
		this.logger.setLevel(Level.DEBUG);
		callFor(Duration.ofSeconds(61));
		assertLines("DEBUG Reserved 1 to 32 of " + ORDERS + " in 61s",
				"DEBUG A call for " + ORDERS + " waited 61s for a range");
	}

	@Test
	void callThatWaitedForATenthOfItsTimeSaysNothing() {
		this.logger.setLevel(Level.DEBUG);
		callFor(Duration.ofMinutes(1));
		assertLines("DEBUG Reserved 1 to 32 of " + ORDERS + " in 1m");
		assertThat(lines()).noneMatch((line) -> line.contains("waited"));
	}

	@Test
	void numbersThatNobodyWillIssueAreToldOf() {
		this.logger.setLevel(Level.DEBUG);
		this.generator.nextId("orders");
		this.generator.ensureAtLeast("orders", 500);
		assertLines("DEBUG Reserved 1 to 32 of " + ORDERS + " in 0s",
				"DEBUG Numbers 2 to 32 of " + ORDERS + " become a gap: the counter was raised",
				"DEBUG Raised the counter of " + ORDERS + " to 500 at least; it stands at 500, after 0s");
	}

	private void callFor(Duration duration) {
		this.store.hold();
		Callers<Long> caller = Callers.start(1, () -> this.generator.nextId("orders")).awaitWaiting();
		this.time.advance(duration);
		this.store.answerAll();
		caller.answers();
	}

	private void failFor(int callers) {
		Callers<Long> failing = Callers.start(callers, () -> this.generator.nextId("orders")).awaitWaiting();
		this.store.fail(new IllegalStateException("away"));
		failing.failures();
	}

	private void assertLines(String... expected) {
		awaitLines(expected.length);
		this.store.answerAll();
		this.engine.close();
		assertThat(lines()).startsWith(expected);
		assertThat(lines().stream().skip(expected.length)).allMatch((line) -> line.startsWith("DEBUG"));
	}

	private void awaitLines(int count) {
		Awaitility.await().until(() -> this.lines.list.size() >= count);
	}

	private List<String> lines() {
		return this.lines.list.stream().map((line) -> line.getLevel() + " " + line.getFormattedMessage()).toList();
	}

}
