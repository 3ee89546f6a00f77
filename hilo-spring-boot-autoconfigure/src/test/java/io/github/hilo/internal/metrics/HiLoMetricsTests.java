package io.github.hilo.internal.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HiLoMetrics}, on a counter in memory.
 */
class HiLoMetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final ObservationRegistry observations = ObservationRegistry.create();

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final HiLoMetrics metrics = new HiLoMetrics(this.registry, this.observations);

	private final HiLoEngine engine = EngineSettings.PATIENT.withPrefetch(false)
		.engine(this.store, TimeSource.SYSTEM, this.metrics);

	private final HiLoIdGenerator generator = this.engine.generator();

	HiLoMetricsTests() {
		this.registry.config().meterFilter(new ReservationMeterFilter());
		this.observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.registry));
	}

	@Test
	void numbersAndRangesAreCounted() {
		LongStream.range(0, 40).forEach((i) -> this.generator.nextId("orders"));
		assertThat(value(HiLoMetrics.IDS_ISSUED, "orders")).isEqualTo(40);
		assertThat(value(HiLoMetrics.RANGE_SIZE, "orders")).isEqualTo(64);
		assertThat(value(HiLoMetrics.RANGE_REMAINING, "orders")).isEqualTo(56);
		assertThat(value(HiLoMetrics.IDS_RETURNED, "orders")).isZero();
		this.generator.release();
		assertThat(value(HiLoMetrics.IDS_RETURNED, "orders")).isEqualTo(56);
		assertThat(value(HiLoMetrics.IDS_ISSUED, "orders")).isEqualTo(40);
		assertThat(value(HiLoMetrics.RANGE_SIZE, "orders")).isZero();
		assertThat(value(HiLoMetrics.RANGE_REMAINING, "orders")).isZero();
	}

	/**
	 * Another thread registers the meters of the sequence while this one does.
	 */
	@Test
	void metersOfAnEventThatCameSecondAreRemoved() {
		RangeSequence sequence = this.engine.sequence(this.store, "orders");
		AtomicBoolean first = new AtomicBoolean(true);
		this.registry.config().onMeterAdded((meter) -> {
			if (first.compareAndSet(true, false)) {
				this.metrics.accept(new SequenceEvent.CounterRepaired(sequence, CounterRepair.MISSING));
			}
		});
		this.metrics.accept(
				new SequenceEvent.Waited(sequence, Duration.ofMillis(1), Deadline.Phase.RANGE, Duration.ofSeconds(10)));
		assertThat(this.registry.find(HiLoMetrics.WAIT).timer()).isNotNull();
		this.metrics.close();
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void reservationsAreTimedByTheirOutcomeAndTheClassOfItsCause() {
		this.generator.nextId("orders");
		fail("invoices", new IllegalStateException("broken"));
		assertThat(reservations("orders", "success", "none")).isEqualTo(1);
		assertThat(reservations("invoices", "failure", "IllegalStateException")).isEqualTo(1);
	}

	private long reservations(String sequence, String outcome, String error) {
		return this.registry.get(HiLoMetrics.RESERVATION)
			.tags("database", "shop", "sequence", sequence, "outcome", outcome, "error", error)
			.timer()
			.count();
	}

	@Test
	void failuresAreCountedByTheirKind() {
		fail("orders", new IllegalStateException("away"));
		fail("orders", new HiLoUnavailableException("away"));
		fail("orders", new HiLoDocumentException("malformed"));
		fail("invoices", new HiLoExhaustedException("exhausted"));
		assertThat(failures("orders"))
			.isEqualTo(Map.of("unavailable", 2.0, "document", 1.0, "exhausted", 0.0, "mapping", 0.0));
		assertThat(failures("invoices"))
			.isEqualTo(Map.of("unavailable", 0.0, "document", 0.0, "exhausted", 1.0, "mapping", 0.0));
	}

	@Test
	void repairsOfTheCounterAreCountedByTheirCause() {
		this.generator.nextIds("orders", 32);
		this.store.max(0);
		this.generator.nextId("orders");
		assertThat(byTag(HiLoMetrics.COUNTER_REPAIRS, HiLoMetrics.CAUSE_TAG, "orders"))
			.isEqualTo(Map.of("missing", 0.0, "behind", 1.0, "stored", 0.0));
	}

	@Test
	void findsAreCountedIfTheyFailOrMeetSomething() {
		this.store.stored(3);
		this.generator.nextId("orders");
		assertThat(byTag(HiLoMetrics.COUNTER_REPAIRS, HiLoMetrics.CAUSE_TAG, "orders")).containsEntry("stored", 1.0);
		this.generator.nextIds("orders", 28);
		this.store.hold();
		CompletableFuture<Long> call = CompletableFuture.supplyAsync(() -> this.generator.nextId("orders"));
		Awaitility.await().until(() -> this.store.requests().size() == 2);
		this.store.answer();
		this.store.fail(new HiLoUnavailableException("away"));
		assertThat(call).failsWithin(Duration.ofSeconds(10));
		assertThat(failures("orders")).containsEntry("unavailable", 1.0);
		assertThat(reservations("orders", "success", "none")).as("are none of a reservation").isEqualTo(2);
	}

	@Test
	void highestNumberIsThatOfReservationsAndRaises() {
		this.generator.nextId("orders");
		assertThat(value(HiLoMetrics.COUNTER_MAX, "orders")).isEqualTo(32);
		this.generator.release();
		assertThat(value(HiLoMetrics.COUNTER_MAX, "orders")).isEqualTo(32);
		this.generator.ensureAtLeast("orders", 500);
		assertThat(value(HiLoMetrics.COUNTER_MAX, "orders")).isEqualTo(500);
	}

	@Test
	void failuresAreCountedWithoutObservationsToo() {
		HiLoMetrics unheard = new HiLoMetrics(this.registry, ObservationRegistry.NOOP);
		HiLoEngine unobserved = EngineSettings.PATIENT.engine(this.store, TimeSource.SYSTEM, unheard);
		this.store.throwOnce(new OutOfMemoryError("unable to create native thread"));
		assertThatExceptionOfType(HiLoUnavailableException.class)
			.isThrownBy(() -> unobserved.generator().nextId("orders"));
		assertThat(failures("orders")).containsEntry("unavailable", 1.0);
	}

	@Test
	void sequenceIsUnavailableWhileItsLastReservationFailedAndNothingIsLeft() {
		this.generator.nextIds("orders", 32);
		assertThat(value(HiLoMetrics.AVAILABLE, "orders")).as("nobody has tried").isEqualTo(1);
		fail("orders", new IllegalStateException("away"));
		assertThat(value(HiLoMetrics.AVAILABLE, "orders")).isZero();
		assertThat(this.engine.checkHealth().values())
			.allSatisfy((sequences) -> assertThat(sequences.values()).noneMatch(SequenceSnapshot::available));
		this.store.answerAll();
		assertThat(value(HiLoMetrics.AVAILABLE, "orders")).as("the check requested a range").isEqualTo(1);
	}

	@Test
	void reservationIsPartOfWhatItsCallerDoes() {
		Observations seen = new Observations();
		this.observations.observationConfig().observationHandler(seen);
		Observation request = Observation.createNotStarted("request", this.observations);
		request.observe(() -> this.generator.nextId("orders"));
		assertThat(seen.stopped).hasSize(2);
		assertThat(seen.stopped.get(0).getContextualName()).isEqualTo("reserve orders");
		assertThat(seen.stopped.get(0).getParentObservation()).isEqualTo(request);
	}

	/**
	 * Somebody else finds out that its time is over.
	 */
	@Test
	void reservationThatIsOverWhileItsThreadStandsStillLeavesNoObservationOpen() {
		ManualTime time = new ManualTime();
		Observations seen = new Observations();
		this.observations.observationConfig().observationHandler(seen);
		AtomicReference<@Nullable RangeSequence> stalled = new AtomicReference<>();
		HiLoEngine engine = EngineSettings.DEFAULTS.engine(this.store, time, (event) -> {
			RangeSequence sequence = stalled.getAndSet(null);
			if (sequence != null) {
				time.advance(EngineSettings.DEFAULTS.settings().timeout());
				sequence.checkHealth();
			}
			this.metrics.accept(event);
		});
		RangeSequence sequence = engine.sequence(this.store, "orders");
		this.store.hold();
		stalled.set(sequence);
		assertThat(sequence.ensureRange(this.store).findFirst().orElseThrow()).isCompletedExceptionally();
		this.store.answerAll();
		assertThat(seen.started).isNotEmpty().containsExactlyInAnyOrderElementsOf(seen.stopped);
	}

	@Test
	void callersThatHaveToWaitAreTimedAndOthersAreNot() {
		this.store.hold();
		Callers<Long> callers = Callers.start(3, () -> this.generator.nextId("orders")).awaitWaiting();
		this.store.answerAll();
		callers.answers();
		this.generator.nextId("orders");
		assertThat(waits().count()).isEqualTo(3);
		assertThat(waits().totalTime(TimeUnit.NANOSECONDS)).isPositive();
	}

	@Test
	void callerThatGivesUpWasAWaitToo() {
		HiLoIdGenerator impatient = EngineSettings.DEFAULTS.withTimeout(Duration.ofMillis(1))
			.engine(this.store, TimeSource.SYSTEM, this.metrics)
			.generator();
		this.store.hold();
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> impatient.nextId("orders"));
		assertThat(waits().count()).isEqualTo(1);
		assertThat(waits().max(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(1);
	}

	@Test
	void warmUpIsNoWait() {
		this.engine.warmUp(List.of("orders"));
		assertThat(this.registry.find(HiLoMetrics.WAIT).timer()).isNull();
	}

	@Test
	void metersVanishWithTheGenerator() {
		this.generator.nextId("orders");
		this.generator.forDatabase("audit").nextId("orders");
		this.metrics.close();
		this.engine.close();
		assertThat(this.registry.getMeters()).extracting(Meter::getId)
			.extracting(Meter.Id::getName)
			.containsOnly(HiLoMetrics.RESERVATION);
	}

	private double value(String name, String sequence) {
		return this.registry.get(name)
			.tags("database", "shop", "sequence", sequence)
			.meter()
			.measure()
			.iterator()
			.next()
			.getValue();
	}

	private void fail(String sequence, RuntimeException failure) {
		this.store.hold();
		Callers<Long> caller = Callers.start(1, () -> this.generator.nextId(sequence)).awaitWaiting();
		this.store.fail(failure);
		caller.failures();
	}

	private Map<String, Double> failures(String sequence) {
		return byTag(HiLoMetrics.RESERVATION_FAILURES, HiLoMetrics.KIND_TAG, sequence);
	}

	private Map<String, Double> byTag(String name, String tag, String sequence) {
		return this.registry.get(name)
			.tags("database", "shop", "sequence", sequence)
			.counters()
			.stream()
			.collect(
					Collectors.toMap((counter) -> Objects.requireNonNull(counter.getId().getTag(tag)), Counter::count));
	}

	private Timer waits() {
		return this.registry.get(HiLoMetrics.WAIT)
			.tags("database", "shop", "sequence", "orders", "for", "range")
			.timer();
	}

	private static final class Observations implements ObservationHandler<Observation.Context> {

		private final List<Observation.Context> started = new CopyOnWriteArrayList<>();

		private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

		@Override
		public void onStart(Observation.Context context) {
			this.started.add(context);
		}

		@Override
		public void onStop(Observation.Context context) {
			this.stopped.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
