package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FixedStores;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What becomes of a reservation or return that MongoDB answers with an error, or not at
 * all.
 */
class UncertainAnswersTests {

	private final TestDatabase database = new TestDatabase();

	private final FaultyCommands commands = FaultyCommands.on(this.database);

	private final HiLoEngine engine = new EngineSettings(TestDatabase.settings(false))
		.engine(new FixedStores(TestStores.over(this.database.name(), this.commands)), TimeSource.SYSTEM);

	private final HiLoIdGenerator generator = this.engine.generator();

	@AfterEach
	void dropDatabase() {
		this.engine.close();
		this.database.close();
	}

	@Test
	void attemptsAreBounded() {
		this.database.setMax("orders", new BsonInt64(64));
		// Somebody else sets it to another double each time.
		for (int i = 0; i < CounterUpdates.MAX_ATTEMPTS; i++) {
			double max = i;
			this.commands.beforeReservation(() -> this.database.setMax("orders", new BsonDouble(max)))
				.beforeWrite(() -> this.database.setMax("orders", new BsonInt64(64)));
		}
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> this.generator.nextId("orders"))
			.withMessageContaining("other clients changed the counter 30 times");
		assertThat(this.generator.nextId("orders")).isEqualTo(65);
	}

	@Test
	void errorThatLooksLikeOneOfTheDocumentIsToldIfTheDocumentIsAsItShouldBe() {
		this.database.setMax("orders", new BsonInt64(64));
		this.commands.failReservation(false, CounterModel.failure(2, "BadValue"));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> this.generator.nextId("orders"))
			.withMessageContaining("BadValue");
		assertThat(this.generator.nextId("orders")).isEqualTo(65);
	}

	@Test
	void commandIsNotSentOnceItsTimeIsUp() {
		assertThat(this.commands.aggregate("orders", List.of(), new Deadline(Duration.ZERO, TimeSource.SYSTEM)))
			.failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withMessageContaining("No time was left");
		assertThat(this.database.commands().all()).isEmpty();
	}

	@Test
	void commandThatNoThreadTakesFailsLikeAnyOther() {
		StoreCommands driver = FaultyCommands.driver(this.database, (task) -> {
			throw new RejectedExecutionException("closed");
		});
		assertThat(TestStores.over(this.database.name(), driver).raise("orders", 5, Duration.ofSeconds(1)))
			.failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(HiLoUnavailableException.class)
			.withMessageContaining("closed");
	}

	@Test
	void timeoutOfTheReservationIsWhatTheServerIsGiven() {
		this.generator.nextId("orders");
		assertThat(this.database.commands().all().get(0).getInt64("maxTimeMS").getValue()).isBetween(1L, 30_000L);
	}

}
