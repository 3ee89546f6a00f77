package io.github.hilo.internal.stored;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.StoreSettings;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * How the stored ids of one sequence are checked, and which warnings about them were
 * logged, so that each is logged once.
 * <p>
 * Thread-safe: {@code told} is a concurrent set, and all other fields are final.
 */
public final class StoredIdMemory {

	public static final String SWITCH = "hilo.check-stored-ids";

	private static final int MAX_PLACES = 8;

	// How many warnings are logged at most.
	private static final int MAX_TOLD = 100;

	private final String sequence;

	private final String described;

	private final StoreSettings settings;

	private final TimeSource time;

	private final DocumentIdFormat format;

	// If false, every id counts as free.
	private final boolean checked;

	private final Set<Object> told = ConcurrentHashMap.newKeySet();

	public StoredIdMemory(String sequence, String described, StoreSettings settings, TimeSource time) {
		this.sequence = sequence;
		this.described = described;
		this.settings = settings;
		this.time = time;
		this.format = settings.formats().apply(sequence);
		this.checked = settings.checked().test(sequence);
	}

	String describe() {
		return this.described;
	}

	StoreSettings settings() {
		return this.settings;
	}

	TimeSource time() {
		return this.time;
	}

	DocumentIdFormat format() {
		return this.format;
	}

	/**
	 * Returns the places that a reservation checks: those where its numbers will be
	 * stored, those from metadata, and the collection with the sequence's name, unless
	 * that is the default name of a field's sequence.
	 */
	List<Place> placesToCheck(List<Place> used) {
		if (!this.checked) {
			return List.of();
		}
		List<Place> mapped = this.settings.places().apply(this.sequence);
		Set<Place> known = new HashSet<>(mapped);
		known.addAll(used);
		Stream<Boolean> forms = known.isEmpty() ? Stream.of(false, true)
				: known.stream()
					.filter((place) -> place.isId() || !place.defaultSequence().equals(this.sequence))
					.map(Place::text);
		Stream<Place> ofName = forms.map((text) -> new Place(this.sequence, Place.ID, text,
				known.contains(new Place(this.sequence, Place.ID, text, true))));
		return Stream.of(used.stream(), mapped.stream(), ofName)
			.flatMap((places) -> places)
			.distinct()
			.limit(MAX_PLACES)
			.toList();
	}

	/**
	 * Returns whether a warning was not logged yet, about a collection that may not be
	 * read or a place whose find was slow. After {@value #MAX_TOLD} warnings no other one
	 * is logged.
	 */
	boolean isNew(Object told) {
		return this.told.size() < MAX_TOLD && this.told.add(told);
	}

}
