package io.github.hilo.internal.stored;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.StoreSettings;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of the stored ids of one sequence of one database.
 * <p>
 * Thread-safe: places are in a concurrent map, and what changes together is guarded by
 * this object.
 */
public final class StoredIdMemory {

	static final String SWITCH = "hilo.check-stored-ids";

	private static final int MAX_PLACES = 8;

	// Of so many places it is remembered that something was told of them.
	private static final int MAX_TOLD = 100;

	private final String sequence;

	private final String described;

	private final StoreSettings settings;

	private final TimeSource time;

	private final Executor executor;

	private final DocumentIdFormat format;

	// Whether stored ids are checked: otherwise every id counts as free.
	private final boolean checked;

	private final Set<Object> told = ConcurrentHashMap.newKeySet();

	private final Map<Place, Failure> failures = new ConcurrentHashMap<>();

	private final List<Start> starts = new ArrayList<>();

	public StoredIdMemory(String sequence, String described, StoreSettings settings, TimeSource time,
			Executor executor) {
		this.sequence = sequence;
		this.described = described;
		this.settings = settings;
		this.time = time;
		this.executor = executor;
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

	Executor executor() {
		return this.executor;
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
		// A place that cannot be read keeps no other from being used.
		return Stream.of(used.stream().filter((place) -> failureOf(place) == null), mapped.stream(), ofName)
			.flatMap((places) -> places)
			.distinct()
			.limit(MAX_PLACES)
			.toList();
	}

	/**
	 * Joins the check that is under way where the counter starts, or begins one if none
	 * reads all places, or nothing has come of it for too long.
	 */
	synchronized Start joinOrBegin(List<Place> places, Supplier<Start> begin) {
		this.starts.removeIf((start) -> start.result.isDone() || start.scan.isLost());
		for (Start start : this.starts) {
			if (start.places.containsAll(places)) {
				return start;
			}
		}
		Start begun = begin.get();
		this.starts.add(begun);
		return begun;
	}

	/**
	 * Throws if a check of a place failed a moment ago for a reason that lasts.
	 */
	void requireReady(List<Place> places) {
		for (Place place : places) {
			Failure last = failureOf(place);
			if (last != null) {
				throw last.reason;
			}
		}
	}

	private @Nullable Failure failureOf(Place place) {
		return this.failures.computeIfPresent(place, (known,
				last) -> (this.time.nanoTime() - last.beganNanos < this.settings.timeout().toNanos()) ? last : null);
	}

	void failed(Place place, long beganNanos, HiLoUnavailableException reason) {
		this.failures.put(place, new Failure(beganNanos, reason));
	}

	/**
	 * Remembers what is told once: a collection that may not be read, or a place whose
	 * index was looked for. After too many nothing more is told.
	 */
	boolean isNew(Object told) {
		return !isTold(told) && this.told.add(told);
	}

	boolean isTold(Object told) {
		return this.told.size() >= MAX_TOLD || this.told.contains(told);
	}

	private record Failure(long beganNanos, HiLoUnavailableException reason) {
	}

	/**
	 * A check where the counter starts, and the raise that follows it.
	 *
	 * @param result ends with what the counter has at least reached
	 */
	record Start(List<Place> places, CompletableFuture<Long> result, TextScan scan) {
	}

}
