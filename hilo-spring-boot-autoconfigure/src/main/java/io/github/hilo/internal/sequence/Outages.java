package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * What fails now: the reservations of a sequence, and its finds in some of its places.
 * The log, the health and the endpoint learn of failures here. There is at most one
 * outage for each place. Not thread-safe: the lock of the sequence guards it.
 */
final class Outages {

	// By place, or null for reservations. What failed last is the last.
	private final Map<@Nullable Place, Outage> byPlace = new LinkedHashMap<>(0);

	/**
	 * Records a failure.
	 * @param place where a find failed, or {@code null} for a reservation
	 */
	void failed(@Nullable Place place, RuntimeException failure, Step step) {
		String message = String.valueOf(failure.getMessage());
		Outage before = this.byPlace.remove(place);
		if (before == null) {
			step.outageBegan(place, message);
		}
		this.byPlace.put(place,
				new Outage(place, (before != null) ? before.failures() + 1 : 1,
						(before != null) ? before.sinceNanos() : step.nanos(),
						new SequenceSnapshot.Failure(step.time(), message, (place != null) ? place.describe() : null)));
	}

	/**
	 * Records a success.
	 * @param place where a find succeeded, or {@code null} for a reservation
	 */
	void succeeded(@Nullable Place place, Step step) {
		Outage over = this.byPlace.remove(place);
		if (over != null) {
			step.outageEnded(over, Duration.ofNanos(step.nanos() - over.sinceNanos()));
		}
	}

	/**
	 * Shows no failure until the next one. The outages go on.
	 */
	void forgive() {
		this.byPlace.replaceAll((place, outage) -> new Outage(place, outage.failures(), outage.sinceNanos(), null));
	}

	void forget() {
		this.byPlace.clear();
	}

	/**
	 * Returns the outage with the latest failure that is not forgiven, or {@code null}.
	 */
	@Nullable Outage latest() {
		return this.byPlace.values()
			.stream()
			.filter((outage) -> outage.latest() != null)
			.reduce((first, second) -> second)
			.orElse(null);
	}

	/**
	 * Failures that no success has ended.
	 *
	 * @param place where finds fail, or {@code null} for reservations
	 * @param latest the latest failure, or {@code null} if it is forgiven
	 */
	record Outage(@Nullable Place place, long failures, long sinceNanos, SequenceSnapshot.@Nullable Failure latest) {
	}

}
