package io.github.hilo.internal.counter;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FixedStores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.TimeSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes that share a consecutive sequence.
 */
@Thorough
class ConsecutiveSequenceTests {

	private static final EngineSettings SETTINGS = new EngineSettings(TestDatabase.SETTINGS).withConsecutiveSequences();

	private static final int THREADS = 4;

	private static final int CALLS = 25;

	private final TestDatabase database = new TestDatabase();

	private final FaultyCommands firstCommands = FaultyCommands.on(this.database);

	private final FaultyCommands secondCommands = FaultyCommands.on(this.database);

	private final HiLoEngine first = newEngine(this.firstCommands);

	private final HiLoEngine second = newEngine(this.secondCommands);

	/**
	 * The highest number of the calls that have ended.
	 */
	private final AtomicLong highestEnded = new AtomicLong();

	private final AtomicInteger failures = new AtomicInteger();

	@AfterEach
	void dropDatabase() {
		this.first.close();
		this.second.close();
		this.database.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callThatBeginsWhenAnotherHasEndedGetsAHigherNumberAlsoWhenAnswersAreLost(boolean lost) {
		RuntimeException lostConnection = new MongoSocketReadException("connection reset", new ServerAddress());
		for (int i = 0; lost && i < 40; i++) {
			this.firstCommands.failReservation(i % 2 == 0, lostConnection);
			this.secondCommands.failReservation(i % 3 == 0, lostConnection);
		}
		AtomicInteger callers = new AtomicInteger();
		Callers.start(2 * THREADS, (Callable<Boolean>) () -> {
			HiLoEngine process = (callers.getAndIncrement() % 2 == 0) ? this.first : this.second;
			for (int i = 0; i < CALLS; i++) {
				call(process.generator());
			}
			return true;
		}).answers();
		assertThat(this.failures.get() > 0).isEqualTo(lost);
		if (!lost) {
			assertThat(this.database.max("orders")).as("no gaps").isEqualTo(2 * THREADS * CALLS);
		}
	}

	private void call(HiLoIdGenerator generator) {
		long before = this.highestEnded.get();
		try {
			long number = generator.nextId("orders");
			assertThat(number).isGreaterThan(before);
			this.highestEnded.accumulateAndGet(number, Math::max);
		}
		catch (HiLoUnavailableException ex) {
			this.failures.incrementAndGet();
		}
	}

	private HiLoEngine newEngine(FaultyCommands commands) {
		return SETTINGS.engine(new FixedStores(TestStores.over(this.database.name(), commands)), TimeSource.SYSTEM);
	}

}
