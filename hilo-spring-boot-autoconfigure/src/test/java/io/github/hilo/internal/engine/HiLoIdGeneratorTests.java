package io.github.hilo.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.TimeSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link HiLoEngine} and {@link RangeSequence} on a counter in memory.
 */
class HiLoIdGeneratorTests {

	private static final EngineSettings WITHOUT_PREFETCH = EngineSettings.PATIENT.withPrefetch(false);

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final HiLoEngine engine = WITHOUT_PREFETCH.engine(this.store, TimeSource.SYSTEM);

	private final HiLoIdGenerator generator = this.engine.generator();

	@Test
	void waitersShareAFailureAndTheNextCallTriesAgain() {
		this.store.hold();
		Callers<Long> callers = Callers.start(8, () -> this.generator.nextId("orders")).awaitWaiting();
		IllegalStateException cause = new IllegalStateException("broken");
		this.store.fail(cause);
		assertThat(callers.failures()).hasSize(8)
			.doesNotHaveDuplicates()
			.allSatisfy((failure) -> assertThat(failure).isInstanceOf(HiLoUnavailableException.class)
				.hasMessageContainingAll("'orders'", "'shop'", "broken")
				.hasRootCause(cause));
		assertThat(this.store.requests()).hasSize(1);
		this.store.answerAll();
		assertThat(this.generator.nextId("orders")).isGreaterThan(32);
	}

	@Test
	void malformedDocumentAndExhaustedCounterReachEveryWaiterAsSuch() {
		Stream.of(new HiLoDocumentException("Max is a string"), new HiLoExhaustedException("No number is left"))
			.forEach((failure) -> {
				this.store.hold();
				Callers<Long> callers = Callers.start(2, () -> this.generator.nextId("orders")).awaitWaiting();
				this.store.fail(failure);
				assertThat(callers.failures())
					.allSatisfy((seen) -> assertThat(seen).hasSameClassAs(failure).hasMessage(failure.getMessage()));
			});
	}

	@Test
	void interruptionFailsThatCallerAlone() {
		this.store.hold();
		Callers<Boolean> interrupted = Callers.start(1, () -> {
			assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> this.generator.nextId("orders"))
				.withMessageContainingAll("'orders'", "'shop'", "interrupted");
			return Thread.currentThread().isInterrupted();
		}).awaitWaiting();
		Callers<Long> others = Callers.start(3, () -> this.generator.nextId("orders")).awaitWaiting();
		interrupted.interrupt();
		assertThat(interrupted.answers()).containsExactly(true);
		this.store.answerAll();
		assertThat(others.answers()).containsExactlyInAnyOrder(1L, 2L, 3L);
	}

	@Test
	void documentIdsOfABlockHaveThePrefixOfTheirRanges() {
		this.generator.nextIds("orders", 31);
		this.store.serverPrefix("NorthServer/");
		assertThat(this.generator.nextDocumentIds("orders", 3)).containsExactly("orders/32-A",
				"orders/NorthServer/33-A", "orders/NorthServer/34-A");
	}

	@Test
	void blockMayEndAtTheHighestNumberThereIs() {
		this.store.max(HiLoIdGenerator.MAX_NUMBER - 32);
		assertThat(this.generator.nextIds("orders", 32)).hasSize(32).endsWith(HiLoIdGenerator.MAX_NUMBER);
		this.store.max(HiLoIdGenerator.MAX_NUMBER - 32);
		assertThat(this.generator.nextDocumentIds("lines", 32)).hasSize(32)
			.endsWith("lines/" + HiLoIdGenerator.MAX_NUMBER + "-A");
	}

	@Test
	void closeReturnsWhatIsLeftAndEndsTheGenerator() {
		HiLoSequence handle = this.generator.sequence("orders");
		HiLoIdGenerator view = this.generator.forDatabase("shop");
		handle.nextId();
		this.engine.close();
		assertThat(this.store.max()).isEqualTo(1);
		assertThat(this.store.isClosed()).isTrue();
		assertThatIllegalStateException().isThrownBy(handle::nextId).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(handle::nextDocumentId);
		assertThatIllegalStateException().isThrownBy(() -> view.nextId("invoices"));
		this.engine.resume();
		this.engine.pause();
		this.engine.resume();
		assertThatIllegalStateException().isThrownBy(() -> this.generator.nextId("never used"));
	}

	@Test
	void releaseOfAViewTouchesOnlyItsDatabase() {
		HiLoIdGenerator audit = this.generator.forDatabase("audit");
		audit.nextId("orders");
		this.generator.nextId("orders");
		audit.release();
		assertThat(this.store.returns()).isEmpty();
		this.generator.release();
		assertThat(this.store.returns()).hasSize(1);
	}

	@Test
	void snapshotShowsTheLiveRangeAndTakesNothing() {
		HiLoEngine shown = WITHOUT_PREFETCH.engine(this.store, this.time);
		LongStream.range(0, 40).forEach((i) -> shown.generator().nextId("orders"));
		SequenceSnapshot snapshot = snapshot(shown);
		assertThat(snapshot.document()).isEqualTo("Raven/HiLo/orders");
		assertThat(snapshot.range())
			.isEqualTo(new SequenceSnapshot.Range(33, 96, 40L, 56, Instant.parse("2026-01-01T00:00:00Z"), null));
		assertThat(snapshot)
			.extracting(SequenceSnapshot::issued, SequenceSnapshot::reserved, SequenceSnapshot::returned,
					SequenceSnapshot::reservations, SequenceSnapshot::nextSize)
			.containsExactly(40L, 96L, 0L, 2L, 128L);
		assertThat(shown.snapshot()).isEqualTo(shown.snapshot());
		shown.generator().release();
		SequenceSnapshot after = snapshot(shown);
		assertThat(after.range()).isNull();
		assertThat(after.issued() + after.returned()).isEqualTo(after.reserved()).isEqualTo(96);
		assertThat(after.failure()).isNull();
	}

	/**
	 * The clock stands, so that the reservation stays in time however slow the machine
	 * is, and only the warm-up ends.
	 */
	@Test
	void warmUpThatTakesTooLongNamesTheLimit() {
		HiLoEngine impatient = WITHOUT_PREFETCH.withTimeout(Duration.ofMillis(20)).engine(this.store, this.time);
		this.store.hold();
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> impatient.warmUp(List.of("orders")))
			.withMessageContaining("got a range within hilo.timeout (20ms)");
		this.store.answerAll();
	}

	private static SequenceSnapshot snapshot(HiLoEngine engine) {
		return Objects.requireNonNull(engine.snapshot().getOrDefault("shop", Map.of()).get("orders"));
	}

}
