package io.github.hilo.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.EngineListener;
import io.github.hilo.engine.SequenceListener;
import io.github.hilo.engine.SequenceSnapshot;
import io.github.hilo.engine.SequenceView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Meters of a generator's sequences, each tagged {@value #DATABASE_TAG} and
 * {@value #SEQUENCE_TAG}. All are removed from the registry with a sequence that is
 * forgotten, and with the generator all but those of the reservations, which belong to
 * the observations. Internal.
 * <p>
 * Thread-safe: meters are in concurrent queues. That it is closed is written before they
 * are removed and read after one is added, so none is left behind.
 *
 * @hidden
 */
public final class HiLoMetrics implements EngineListener {

	/**
	 * Observation: requests for a range, from the request to the answer. As a timer it is
	 * tagged {@value #OUTCOME_TAG} and {@code error} as well.
	 */
	public static final String RESERVATION = "hilo.reservation";

	/**
	 * Timer: callers that had to wait for a range.
	 */
	public static final String WAIT = "hilo.wait";

	/**
	 * Counter: numbers issued.
	 */
	public static final String IDS_ISSUED = "hilo.ids.issued";

	/**
	 * Counter: unused numbers that went back.
	 */
	public static final String IDS_RETURNED = "hilo.ids.returned";

	/**
	 * Gauge: numbers in the range that ids are taken from, or 0 without one.
	 */
	public static final String RANGE_SIZE = "hilo.range.size";

	/**
	 * Gauge: numbers left in that range.
	 */
	public static final String RANGE_REMAINING = "hilo.range.remaining";

	/**
	 * Gauge: 0 while the sequence cannot issue ids, because its last reservation failed
	 * and nothing is left of its ranges; otherwise 1.
	 */
	public static final String AVAILABLE = "hilo.available";

	/**
	 * Counter: reservations that failed, also tagged {@value #KIND_TAG}. There is one for
	 * each kind from a sequence's first use on, at 0.
	 */
	public static final String RESERVATION_FAILURES = "hilo.reservation.failures";

	/**
	 * Tag: {@code unavailable} where MongoDB was unreachable, refused or was too slow,
	 * {@code document} where a document that ids depend on is malformed,
	 * {@code exhausted} where the counter has no number left.
	 */
	public static final String KIND_TAG = "kind";

	/**
	 * Tag: the sequence's database.
	 */
	public static final String DATABASE_TAG = "database";

	/**
	 * Tag: the sequence's name.
	 */
	public static final String SEQUENCE_TAG = "sequence";

	/**
	 * Tag: {@code success} where a range was granted, or {@code failure}.
	 */
	public static final String OUTCOME_TAG = "outcome";

	private static final String OWN_PACKAGE = HiLoIdGenerator.class.getPackageName() + ".";

	private final MeterRegistry registry;

	private final ObservationRegistry observations;

	private final Collection<SequenceMeters> sequences = new ConcurrentLinkedQueue<>();

	private volatile boolean closed;

	/**
	 * Creates the meters of one generator.
	 * @param registry holds the meters
	 * @param observations hears of the reservations
	 */
	public HiLoMetrics(MeterRegistry registry, ObservationRegistry observations) {
		this.registry = registry;
		this.observations = observations;
	}

	@Override
	public SequenceListener created(String database, String sequence, SequenceView view) {
		SequenceMeters meters = new SequenceMeters(database, sequence, view);
		this.sequences.add(meters);
		if (this.closed) {
			closed();
		}
		return meters;
	}

	/**
	 * Finds what one of our exceptions was made of: a driver's exception tells more by
	 * its class.
	 */
	private static Throwable causeOf(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null && cause.getClass().getName().startsWith(OWN_PACKAGE)) {
			cause = cause.getCause();
		}
		return cause;
	}

	@Override
	public void closed() {
		this.closed = true;
		this.sequences.forEach(SequenceMeters::remove);
		this.sequences.clear();
	}

	private final class SequenceMeters implements SequenceListener {

		private final String database;

		private final String sequence;

		/**
		 * The registry only has weak references to it.
		 */
		private final SequenceView view;

		private final Timer wait;

		private final Map<FailureKind, Counter> failures = new EnumMap<>(FailureKind.class);

		private final Collection<Meter> meters = new ConcurrentLinkedQueue<>();

		SequenceMeters(String database, String sequence, SequenceView view) {
			this.database = database;
			this.sequence = sequence;
			this.view = view;
			Tags tags = Tags.of(DATABASE_TAG, database, SEQUENCE_TAG, sequence);
			this.wait = Timer.builder(WAIT)
				.description("Callers that had to wait for a range")
				.tags(tags)
				.register(HiLoMetrics.this.registry);
			this.meters.add(this.wait);
			counter(IDS_ISSUED, "Numbers issued", tags, SequenceSnapshot::issued);
			counter(IDS_RETURNED, "Unused numbers that went back", tags, SequenceSnapshot::returned);
			rangeGauge(RANGE_SIZE, "Numbers in the range that ids are taken from", tags,
					(range) -> range.max() - range.min() + 1);
			rangeGauge(RANGE_REMAINING, "Numbers left in the range that ids are taken from", tags,
					SequenceSnapshot.Range::remaining);
			gauge(AVAILABLE, "0 while the sequence cannot issue ids, otherwise 1", tags,
					(shown) -> shown.health().isAvailable() ? 1 : 0);
			for (FailureKind kind : FailureKind.values()) {
				Counter counter = Counter.builder(RESERVATION_FAILURES)
					.description("Requests for a range that failed")
					.tags(tags.and(KIND_TAG, kind.tag()))
					.register(HiLoMetrics.this.registry);
				this.meters.add(counter);
				this.failures.put(kind, counter);
			}
		}

		private void counter(String name, String description, Tags tags, ToLongFunction<SequenceSnapshot> count) {
			this.meters.add(FunctionCounter.builder(name, this.view, (shown) -> count.applyAsLong(shown.snapshot()))
				.description(description)
				.tags(tags)
				.register(HiLoMetrics.this.registry));
		}

		private void rangeGauge(String name, String description, Tags tags,
				ToLongFunction<SequenceSnapshot.Range> value) {
			gauge(name, description, tags, (shown) -> {
				SequenceSnapshot.Range range = shown.snapshot().range();
				return (range != null) ? value.applyAsLong(range) : 0;
			});
		}

		private void gauge(String name, String description, Tags tags, ToDoubleFunction<SequenceView> value) {
			this.meters.add(Gauge.builder(name, this.view, value)
				.description(description)
				.tags(tags)
				.register(HiLoMetrics.this.registry));
		}

		@Override
		public Consumer<@Nullable Throwable> reserving() {
			Observation observation = Observation.createNotStarted(RESERVATION, HiLoMetrics.this.observations)
				.contextualName("reserve " + this.sequence)
				.lowCardinalityKeyValue(DATABASE_TAG, this.database)
				.lowCardinalityKeyValue(SEQUENCE_TAG, this.sequence)
				.start();
			return (failure) -> {
				observation.lowCardinalityKeyValue(OUTCOME_TAG, (failure == null) ? "success" : "failure");
				if (failure != null) {
					observation.error(causeOf(failure));
				}
				observation.stop();
			};
		}

		@Override
		public void waited(Duration time) {
			this.wait.record(time);
		}

		@Override
		public void forgotten() {
			HiLoMetrics.this.sequences.remove(this);
			this.meters.stream().filter(this::isOwn).forEach(HiLoMetrics.this.registry::remove);
			for (String name : List.of(RESERVATION, RESERVATION + ".active")) {
				HiLoMetrics.this.registry.find(name)
					.tags(DATABASE_TAG, this.database, SEQUENCE_TAG, this.sequence)
					.meters()
					.forEach(HiLoMetrics.this.registry::remove);
			}
		}

		@Override
		public void reservationFailed(RuntimeException failure, Duration time) {
			Objects.requireNonNull(this.failures.get(FailureKind.of(failure))).increment();
		}

		/**
		 * A {@link io.micrometer.core.instrument.config.MeterFilter} may have made it one
		 * of several sequences.
		 */
		private boolean isOwn(Meter meter) {
			return HiLoMetrics.this.sequences.stream().noneMatch((other) -> other.meters.contains(meter));
		}

		void remove() {
			this.meters.forEach(HiLoMetrics.this.registry::remove);
		}

	}

}
