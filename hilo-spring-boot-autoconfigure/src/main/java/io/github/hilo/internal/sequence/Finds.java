package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;

/**
 * The finds in flight, at most one for each place, so that a place that does not answer
 * costs one command at a time, however fast ranges follow each other. A find that is
 * overdue no longer counts: an error may have kept it from being sent. Not thread-safe:
 * the lock of the sequence guards it.
 */
final class Finds {

	private final Duration timeout;

	private final Map<Place, Operation.Find> inFlight = new HashMap<>(0);

	// The places whose last find failed. At most as many as the sequence has.
	private final Set<Place> failed = new HashSet<>(0);

	/**
	 * @param timeout how long a find counts as in flight, longer than its command lasts
	 */
	Finds(Duration timeout) {
		this.timeout = timeout;
	}

	private boolean isOverdue(Operation.Find find, Step step) {
		return step.nanos() - find.startedNanos() >= this.timeout.toNanos();
	}

	boolean anyInFlight(Predicate<Place> places, Step step) {
		return this.inFlight.values().stream().anyMatch((find) -> !isOverdue(find, step) && places.test(find.place()));
	}

	/**
	 * Removes the finds that are overdue.
	 * @return their places
	 */
	List<Place> removeOverdue(Step step) {
		List<Operation.Find> overdue = this.inFlight.values().stream().filter((find) -> isOverdue(find, step)).toList();
		overdue.forEach(this::remove);
		return overdue.stream().map(Operation.Find::place).toList();
	}

	/**
	 * Starts a find for the numbers of a range that are stored in a place, unless one is
	 * in flight there.
	 * @param first the first number to ask for
	 * @param ahead how far a find looks that is started now
	 * @param store the store of the caller who needs the range in that place
	 * @return the find in flight
	 */
	Operation.Find start(HeldRange range, Place place, long first, Windows.LookAhead ahead, RangeStore store,
			Step step) {
		Operation.Find find = this.inFlight.get(place);
		if (find == null || isOverdue(find, step)) {
			find = new Operation.Find(range, place, first, ahead, step.nanos(), step.commandDeadline(), store);
			this.inFlight.put(place, find);
			step.add(find);
		}
		return find;
	}

	/**
	 * Removes a find.
	 * @return whether it was still in flight
	 */
	boolean remove(Operation.Find find) {
		return this.inFlight.remove(find.place(), find);
	}

	boolean isInFlight(Place place) {
		return this.inFlight.containsKey(place);
	}

	/**
	 * Returns whether the last find of a place failed.
	 */
	boolean hasFailed(Place place) {
		return this.failed.contains(place);
	}

	void failed(Place place) {
		this.failed.add(place);
	}

	void succeeded(Place place) {
		this.failed.remove(place);
	}

	boolean isEmpty() {
		return this.inFlight.isEmpty();
	}

	void forget() {
		this.inFlight.clear();
	}

}
