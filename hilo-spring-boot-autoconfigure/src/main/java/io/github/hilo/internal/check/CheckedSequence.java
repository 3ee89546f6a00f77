package io.github.hilo.internal.check;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * What is known of a sequence whose ids are checked: the places where its ids may be
 * stored, and the format of its document ids.
 *
 * @param described the sequence and its database, for messages
 * @param warnings the places and collections of this database for which a warning was
 * logged; thread-safe
 */
public record CheckedSequence(String name, String described, CounterSettings settings, TimeSource time,
		Set<Object> warnings) {

	public static final String PROPERTY = "hilo.check-stored-ids";

	private static final List<Boolean> NUMBERS_AND_TEXTS = List.of(false, true);

	DocumentIdFormat format() {
		return this.settings.formats().apply(this.name);
	}

	/**
	 * Returns the places that are known: those of known types, and the ids of the
	 * collection that has the sequence's name. That collection is no place if the
	 * sequence is the default sequence of a field, because the sequence's name is then no
	 * collection.
	 * @param anyForm whether that collection may have numbers and texts; otherwise it has
	 * what known types have, if there are any
	 * @throws IllegalStateException if two counters would issue the numbers of one place
	 */
	List<Place> places(boolean anyForm) {
		if (!this.settings.checked().test(this.name)) {
			return List.of();
		}
		List<Place> mapped = this.settings.places().apply(this.name);
		Stream<Boolean> texts = mapped.isEmpty() ? NUMBERS_AND_TEXTS.stream()
				: mapped.stream()
					.filter((place) -> place.isId() || !place.defaultSequence().equals(this.name))
					.flatMap((place) -> anyForm ? NUMBERS_AND_TEXTS.stream() : Stream.of(place.text()));
		Stream<Place> ofName = texts.map((text) -> new Place(this.name, Place.ID, text,
				mapped.contains(new Place(this.name, Place.ID, text, true))));
		return Stream.concat(mapped.stream(), ofName).distinct().toList();
	}

	/**
	 * Returns whether a warning was not logged yet, about a collection that may not be
	 * read or a place whose find was slow.
	 */
	boolean isFirstWarning(Object warning) {
		return this.warnings.add(warning);
	}

}
