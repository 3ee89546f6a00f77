package io.github.hilo.internal.metrics;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.sequence.SequenceListener;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
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
 * Registers the meters of sequences, each with the tags {@value #DATABASE_TAG} and
 * {@value #SEQUENCE_TAG}, and updates them when events arrive. Closing this object
 * removes the meters from the registry, except those of the reservations, which belong to
 * the observations.
 * <p>
 * Thread-safe: the maps are concurrent. {@code accept} reads {@code closed} again after
 * it has registered meters, so that a meter that {@code close} has missed is removed,
 * too.
 */
public final class HiLoMetrics implements Consumer<SequenceEvent>, SequenceListener, AutoCloseable {

	/**
	 * Observation: reservations, from the request to the response. Its timer also has the
	 * tags {@value #OUTCOME_TAG} and {@code error}.
	 */
	public static final String RESERVATION = "hilo.reservation";

	/**
	 * Timer: how long calls waited before they could use their numbers. Also has the tag
	 * {@value #FOR_TAG}: a call has one event for each value for which it waited. A
	 * series appears when it is first used.
	 */
	public static final String WAIT = "hilo.wait";

	public static final String IDS_ISSUED = "hilo.ids.issued";

	public static final String IDS_RETURNED = "hilo.ids.returned";

	public static final String RANGE_SIZE = "hilo.range.size";

	public static final String RANGE_REMAINING = "hilo.range.remaining";

	/**
	 * Gauge: 0 while the sequence cannot issue ids, because a reservation or a find
	 * failed and no range with numbers left is covered anywhere; otherwise 1.
	 */
	public static final String AVAILABLE = "hilo.available";

	/**
	 * Counter: reservations and finds that failed. Also has the tag {@value #KIND_TAG}.
	 * All kinds start at 0 when the sequence is first used.
	 */
	public static final String RESERVATION_FAILURES = "hilo.reservation.failures";

	/**
	 * Counter: how often a counter was created again or raised, or a find met stored
	 * numbers. Also has the tag {@value #CAUSE_TAG}. All causes start at 0 when the
	 * sequence is first used.
	 */
	public static final String COUNTER_REPAIRS = "hilo.counter.repairs";

	public static final String COUNTER_MAX = "hilo.counter.max";

	/**
	 * Tag: {@code missing} if the counter was gone, {@code behind} if it stood behind
	 * numbers that were issued, {@code stored} if documents had numbers of a range.
	 */
	public static final String CAUSE_TAG = "cause";

	/**
	 * Tag: what a call waited for: {@code range}, or {@code check} for a find of stored
	 * ids.
	 */
	public static final String FOR_TAG = "for";

	/**
	 * Tag: {@code unavailable} if MongoDB was unreachable, refused or was too slow,
	 * {@code document} if a document that ids depend on is malformed, {@code exhausted}
	 * if the counter has no number left, {@code mapping} if the mapping of a type is
	 * refused.
	 */
	public static final String KIND_TAG = "kind";

	public static final String DATABASE_TAG = "database";

	public static final String SEQUENCE_TAG = "sequence";

	/**
	 * Tag: {@code success} if a range was granted, or {@code failure}.
	 */
	public static final String OUTCOME_TAG = "outcome";

	private static final String OWN_PACKAGE = HiLoIdGenerator.class.getPackageName() + ".";

	private final MeterRegistry registry;

	private final ObservationRegistry observations;

	private final Map<RangeSequence, SequenceMeters> sequences = new ConcurrentHashMap<>();

	// Two threads may register the meters of a sequence at once, and the registry keeps
	// only one gauge. So all gauges read this map.
	private final Map<RangeSequence, Long> highest = new ConcurrentHashMap<>();

	private final Map<Object, Observation> underWay = new ConcurrentHashMap<>();

	private volatile boolean closed;

	public HiLoMetrics(MeterRegistry registry, ObservationRegistry observations) {
		this.registry = registry;
		this.observations = observations;
	}

	@Override
	public void accept(SequenceEvent event) {
		if (!this.closed) {
			if (!(event instanceof SequenceEvent.LetGo)) {
				metersOf(event);
			}
			event.tell(this);
			if (this.closed) {
				close();
			}
		}
	}

	@Override
	public void reservationStarted(SequenceEvent.ReservationStarted started) {
		this.underWay.put(started.operation(), observe(started.sequence()));
	}

	@Override
	public void reservationEnded(SequenceEvent.ReservationEnded ended) {
		if (ended.failure() != null) {
			metersOf(ended).count(FailureKind.of(ended.failure()));
		}
		else if (ended.range() != null) {
			this.highest.merge(ended.sequence(), ended.range().max(), Math::max);
		}
		stop(this.underWay.remove(ended.operation()), ended);
	}

	@Override
	public void findEnded(SequenceEvent.FindEnded ended) {
		if (ended.failure() != null) {
			metersOf(ended).count(FailureKind.of(ended.failure()));
		}
		else if (ended.stored() != null && ended.stored() > 0) {
			metersOf(ended).count(CounterRepair.STORED);
		}
	}

	@Override
	public void refused(SequenceEvent.Refused refused) {
		metersOf(refused).count(FailureKind.of(refused.failure()));
	}

	@Override
	public void waited(SequenceEvent.Waited waited) {
		metersOf(waited).wait(waited.phase()).record(waited.time());
	}

	@Override
	public void counterRepaired(SequenceEvent.CounterRepaired repaired) {
		metersOf(repaired).count(repaired.cause());
	}

	@Override
	public void raiseEnded(SequenceEvent.RaiseEnded raised) {
		if (raised.max() != null) {
			this.highest.merge(raised.sequence(), raised.max(), Math::max);
		}
	}

	@Override
	public void letGo(SequenceEvent.LetGo event) {
		remove(this.sequences.remove(event.sequence()));
		this.highest.remove(event.sequence());
	}

	@Override
	public void close() {
		this.closed = true;
		this.sequences.values().forEach(this::remove);
	}

	private void remove(@Nullable SequenceMeters meters) {
		if (meters != null) {
			meters.meters.forEach(this.registry::remove);
		}
	}

	/**
	 * Returns the meters of an event's sequence, which all start at 0 with its first
	 * event.
	 */
	private SequenceMeters metersOf(SequenceEvent event) {
		RangeSequence sequence = event.sequence();
		SequenceMeters meters = this.sequences.get(sequence);
		if (meters == null) {
			// Outside of the map's lock, because a registry calls listeners. A second
			// thread gets the same meters from the registry.
			SequenceMeters created = new SequenceMeters(this.registry, sequence, this.highest);
			SequenceMeters first = this.sequences.putIfAbsent(sequence, created);
			// Only those in the map are removed.
			meters = (first != null) ? first : created;
		}
		return meters;
	}

	private Observation observe(RangeSequence sequence) {
		return Observation.createNotStarted(RESERVATION, this.observations)
			.contextualName("reserve " + sequence.name())
			.lowCardinalityKeyValue(DATABASE_TAG, sequence.database())
			.lowCardinalityKeyValue(SEQUENCE_TAG, sequence.name())
			.start();
	}

	private static void stop(@Nullable Observation observation, SequenceEvent.ReservationEnded ended) {
		if (observation != null) {
			observation.lowCardinalityKeyValue(OUTCOME_TAG, (ended.range() != null) ? "success" : "failure");
			if (ended.failure() != null) {
				observation.error(causeOf(ended.failure()));
			}
			observation.stop();
		}
	}

	/**
	 * Returns the cause of one of the library's exceptions. The class of a driver's
	 * exception says more about the failure.
	 */
	private static Throwable causeOf(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null && cause.getClass().getName().startsWith(OWN_PACKAGE)) {
			cause = cause.getCause();
		}
		return cause;
	}

	private static final class SequenceMeters {

		private final MeterRegistry registry;

		private final RangeSequence sequence;

		private final Tags tags;

		private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

		// By kind of failure, and by cause of a repair.
		private final Map<Enum<?>, Counter> counters = new HashMap<>();

		SequenceMeters(MeterRegistry registry, RangeSequence sequence, Map<RangeSequence, Long> highest) {
			this.registry = registry;
			this.sequence = sequence;
			this.tags = Tags.of(DATABASE_TAG, sequence.database(), SEQUENCE_TAG, sequence.name());
			counter(IDS_ISSUED, "Numbers issued", SequenceSnapshot::issued);
			counter(IDS_RETURNED, "Unused numbers that went back", SequenceSnapshot::returned);
			rangeGauge(RANGE_SIZE, "Numbers in the range that ids are taken from",
					(range) -> range.max() - range.min() + 1);
			rangeGauge(RANGE_REMAINING, "Numbers left in the range that ids are taken from",
					SequenceSnapshot.Range::remaining);
			gauge(AVAILABLE, "0 while the sequence cannot issue ids, otherwise 1",
					(shown) -> shown.snapshot().available() ? 1 : 0);
			gauge(COUNTER_MAX, "The highest number reserved here, or that the counter was raised to",
					(shown) -> highest.getOrDefault(shown, 0L));
			counters(FailureKind.values(), KIND_TAG,
					Counter.builder(RESERVATION_FAILURES).description("Reservations and finds that failed"));
			counters(CounterRepair.values(), CAUSE_TAG, Counter.builder(COUNTER_REPAIRS)
				.description("Repairs of the counter, and finds that met stored numbers"));
		}

		private void counters(Enum<?>[] values, String tag, Counter.Builder counter) {
			for (Enum<?> value : values) {
				this.counters.put(value, added(counter.tags(tagsWith(tag, value)).register(this.registry)));
			}
		}

		private Tags tagsWith(String tag, Enum<?> value) {
			return this.tags.and(tag, value.name().toLowerCase(Locale.ROOT));
		}

		Timer wait(Deadline.Phase phase) {
			return added(Timer.builder(WAIT)
				.description("Calls that had to wait before their number could be used")
				.tags(tagsWith(FOR_TAG, phase))
				.register(this.registry));
		}

		void count(Enum<?> kindOrCause) {
			Objects.requireNonNull(this.counters.get(kindOrCause)).increment();
		}

		private void counter(String name, String description, ToLongFunction<SequenceSnapshot> count) {
			added(FunctionCounter.builder(name, this.sequence, (shown) -> count.applyAsLong(shown.snapshot()))
				.description(description)
				.tags(this.tags)
				.register(this.registry));
		}

		private void rangeGauge(String name, String description, ToLongFunction<SequenceSnapshot.Range> value) {
			gauge(name, description, (shown) -> {
				SequenceSnapshot.Range range = shown.snapshot().range();
				return (range != null) ? value.applyAsLong(range) : 0;
			});
		}

		private void gauge(String name, String description, ToDoubleFunction<RangeSequence> value) {
			added(Gauge.builder(name, this.sequence, value)
				.description(description)
				.tags(this.tags)
				.register(this.registry));
		}

		private <M extends Meter> M added(M meter) {
			this.meters.add(meter);
			return meter;
		}

	}

}
