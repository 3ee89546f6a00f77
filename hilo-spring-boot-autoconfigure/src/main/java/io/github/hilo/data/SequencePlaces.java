package io.github.hilo.data;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.hilo.store.StoredIdScope.Place;
import org.jspecify.annotations.Nullable;

/**
 * The places where ids of one sequence are stored, numbered from 1 in the order in which
 * they became known, and how many of them the ranges of each database cover. No place is
 * ever removed, so a range that covers a place covers all before it.
 * <p>
 * Thread-safe: changes are guarded by this object; what a save reads is published by
 * volatile writes.
 */
final class SequencePlaces {

	private volatile List<Place> places = List.of();

	/**
	 * How many places every range of a database covers at least: as many as its first
	 * check did, or more once those before were returned.
	 */
	private final Map<String, Integer> covered = new ConcurrentHashMap<>();

	/**
	 * The least of these, or a large number before any check.
	 */
	private volatile int coveredEverywhere = Integer.MAX_VALUE;

	List<Place> all() {
		return this.places;
	}

	/**
	 * Finds the number of a place, or of one that covers it, and adds it if there is
	 * none.
	 */
	int numberOf(Place place) {
		List<Place> known = this.places;
		for (int i = 0; i < known.size(); i++) {
			if (known.get(i).covers(place)) {
				return i + 1;
			}
		}
		return add(known, place);
	}

	private synchronized int add(List<Place> known, Place place) {
		if (this.places != known) {
			return numberOf(place);
		}
		this.places = Stream.concat(known.stream(), Stream.of(place)).toList();
		return this.places.size();
	}

	/**
	 * A range is about to be reserved and checked.
	 * @param mapped the places that metadata names by now
	 * @return the places that the check covers
	 */
	synchronized List<Place> check(String database, Collection<Place> mapped) {
		mapped.forEach(this::numberOf);
		if (this.covered.putIfAbsent(database, this.places.size()) == null) {
			updateLeast();
		}
		return this.places;
	}

	/**
	 * Whether every range covers a place, whatever its database.
	 */
	boolean isCovered(int number) {
		return number <= this.coveredEverywhere;
	}

	/**
	 * Whether every range of a database covers a place.
	 * @param database the database, or {@code null} for all
	 */
	boolean isCovered(@Nullable String database, int number) {
		return isCovered(number)
				|| (database != null && this.covered.getOrDefault(database, Integer.MAX_VALUE) >= number);
	}

	/**
	 * The ranges of a database that do not cover a place were returned.
	 * @param database the database, or {@code null} for all
	 */
	synchronized void released(@Nullable String database, int number) {
		this.covered
			.replaceAll((name, least) -> (database == null || database.equals(name)) ? Math.max(least, number) : least);
		updateLeast();
	}

	private void updateLeast() {
		this.coveredEverywhere = this.covered.values().stream().mapToInt(Integer::intValue).min().orElseThrow();
	}

}
