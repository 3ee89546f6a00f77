package io.github.hilo.internal.sequence;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.internal.store.Place;

/**
 * The places where the numbers of one range are free, as far as that was asked for: in
 * those not from any number on, and in each of the others from one of them to the range's
 * end. It is made with the reservation and ends with the range, so that nothing that is
 * known of numbers is ever true of a later range that has the same.
 * <p>
 * Thread-safe: the map is a concurrent one, and each {@link FreePlace} is safe itself.
 */
final class FreePlaces {

	/**
	 * In how many places a reservation is checked, and how many are remembered of a range
	 * whose numbers are all issued.
	 */
	static final int MOST = 8;

	private final Map<Place, FreePlace> places = new ConcurrentHashMap<>();

	private final boolean checked;

	FreePlaces(boolean checked) {
		this.checked = checked;
	}

	FreePlace in(Place place) {
		FreePlace known = this.places.get(place);
		return (known != null) ? known
				: this.places.computeIfAbsent(place, (absent) -> new FreePlace(this, this.checked));
	}

	/**
	 * The range was checked with its reservation.
	 */
	void foundFree(List<Place> places, long first) {
		places.forEach((place) -> in(place).foundFree(first));
	}

	List<Place> used() {
		return this.places.entrySet()
			.stream()
			.filter((place) -> place.getValue().isUsed())
			.limit(MOST)
			.map(Map.Entry::getKey)
			.toList();
	}

	/**
	 * No number of the range is taken any more. Whoever still has one asks again.
	 */
	void rangeEnded() {
		if (this.places.size() > MOST) {
			this.places.clear();
		}
	}

}
