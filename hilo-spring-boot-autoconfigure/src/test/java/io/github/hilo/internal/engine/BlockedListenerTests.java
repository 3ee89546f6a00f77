package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A listener that blocks, such as an {@code ObservationHandler} of the application, holds
 * up its own sequence and no other, and every call ends in time.
 */
@Thorough
class BlockedListenerTests {

	private final TestDatabase database = new TestDatabase();

	private final CountDownLatch mended = new CountDownLatch(1);

	private final HiLoEngine engine = new EngineSettings(TestDatabase.SETTINGS).withTimeout(Duration.ofSeconds(2))
		.engine(this.database.newStores(), TimeSource.SYSTEM, this::on);

	@AfterEach
	void close() {
		this.mended.countDown();
		this.engine.close();
		this.database.close();
	}

	private void on(SequenceEvent event) {
		if (event.sequence().name().equals("blocked")) {
			try {
				this.mended.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Test
	void callersOfOtherSequencesGetTheirNumbersAndItsOwnTimeOut() throws Exception {
		ReactiveHiLoIdGenerator generator = EngineSteps.reactive(this.engine);
		CompletableFuture<Long> blocked = generator.nextId("blocked").toFuture();
		CompletableFuture<Long> another = generator.nextId("blocked").toFuture();
		assertThat(generator.nextId("orders").toFuture().get(1, TimeUnit.SECONDS)).isEqualTo(1);
		Awaitility.await().until(() -> blocked.isDone() && another.isDone());
		assertThatExceptionOfType(Exception.class).isThrownBy(blocked::get)
			.havingCause()
			.isInstanceOf(HiLoUnavailableException.class)
			.withMessageContaining("within hilo.timeout");
		assertThat(generator.nextId("lines").toFuture().get(1, TimeUnit.SECONDS)).isEqualTo(1);
	}

}
