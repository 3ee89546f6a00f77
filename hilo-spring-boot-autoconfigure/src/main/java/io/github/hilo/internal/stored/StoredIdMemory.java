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
 * How the stored ids of one sequence of one database are checked, and what is in the log
 * of that already. Nothing else is remembered.
 */
public final class StoredIdMemory {

	public static final String SWITCH = "hilo.check-stored-ids";

	private static final int MAX_PLACES = 8;

	// Of so many places something is in the log.
	private static final int MAX_TOLD = 100;

	private final String sequence;

	private final String described;

	private final StoreSettings settings;

	private final TimeSource time;

	private final DocumentIdFormat format;

	// Whether stored ids are checked: otherwise every id counts as free.
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
	 * Finds the places that a reservation checks: those where its numbers will be used,
	 * those that metadata gives, and the collection of the sequence's own name unless
	 * that is the default one of a field.
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
	 * Whether something is not in the log yet: a collection that may not be read, or a
	 * place whose find was slow. After too many nothing more is logged.
	 */
	boolean isNew(Object told) {
		return this.told.size() < MAX_TOLD && this.told.add(told);
	}

}
