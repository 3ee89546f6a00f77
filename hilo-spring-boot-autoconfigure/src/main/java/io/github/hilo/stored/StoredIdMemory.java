package io.github.hilo.stored;

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
import io.github.hilo.store.FreeNumbers;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.StoreSettings;
import io.github.hilo.store.TimeSource;
import io.github.hilo.text.DocumentIdFormat;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of the stored ids of one sequence of one database.
 * Internal.
 * <p>
 * Thread-safe: places are in a concurrent map, what changes together is guarded by this
 * object, and the rest is published by single volatile writes.
 *
 * @hidden
 */
public final class StoredIdMemory {

	static final String SWITCH = "hilo.check-stored-ids";

	private static final int MAX_PLACES = 8;

	private static final int MAX_RANGES = 8;

	private final String sequence;

	private final String described;

	private final StoreSettings settings;

	private final TimeSource time;

	private final Executor executor;

	private final UnknownNames unknown;

	private final DocumentIdFormat format;

	/**
	 * Whether stored ids are checked: otherwise every id counts as free.
	 */
	private final boolean checked;

	private final Set<Object> told = ConcurrentHashMap.newKeySet();

	private final Map<Place, FreeIntervals> places = new ConcurrentHashMap<>();

	private final Map<Place, Failure> failures = new ConcurrentHashMap<>();

	/**
	 * The ranges that were granted lately, the last one first.
	 */
	private volatile List<ReservedRange> ranges = List.of();

	private final List<Start> starts = new ArrayList<>();

	public StoredIdMemory(String sequence, String described, StoreSettings settings, TimeSource time, Executor executor,
			UnknownNames unknown) {
		this.sequence = sequence;
		this.described = described;
		this.settings = settings;
		this.time = time;
		this.executor = executor;
		this.unknown = unknown;
		this.format = DocumentIdFormat.of(sequence, settings.identityPartsSeparator(), settings.nodeTag());
		this.checked = settings.checked().test(sequence);
	}

	public FreeNumbers freeNumbers(Place place) {
		return this.checked ? of(place) : FreeNumbers.UNCHECKED;
	}

	FreeIntervals of(Place place) {
		FreeIntervals known = this.places.get(place);
		return (known != null) ? known : this.places.computeIfAbsent(place, (absent) -> new FreeIntervals(this.format));
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
	 * Points out a counter that was created although no known type, no setting and no
	 * document uses its name.
	 */
	void created() {
		if (this.places.keySet().stream().noneMatch(Place::mapped) && !this.settings.named().contains(this.sequence)
				&& this.settings.places().apply(this.sequence).isEmpty()) {
			this.unknown.created(this.described);
		}
	}

	/**
	 * Finds the places that a reservation checks: those where numbers were used since the
	 * last reservation began, those that metadata gives, and the collection of the
	 * sequence's own name unless that is the default one of a field.
	 * @return at most 8 places
	 */
	List<Place> placesToCheck() {
		if (!this.checked) {
			return List.of();
		}
		List<Place> mapped = this.settings.places().apply(this.sequence);
		List<Place> met = this.places.keySet().stream().filter(Place::mapped).toList();
		// All are asked: each forgets that it was used.
		List<Place> used = met.stream().filter((place) -> of(place).wasUsed() && failureOf(place) == null).toList();
		Set<Place> known = new HashSet<>(mapped);
		known.addAll(met);
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
	 * Remembers a range, and where it is free, before any of its numbers is issued. What
	 * was known of them is forgotten: they went back and are granted again.
	 */
	synchronized void granted(ReservedRange range, List<Place> checked) {
		this.places.values().forEach((place) -> place.forget(range));
		this.ranges = Stream
			.concat(Stream.of(range),
					this.ranges.stream().filter((known) -> known.max() < range.min() || range.max() < known.min()))
			.limit(MAX_RANGES)
			.toList();
		checked.forEach((place) -> of(place).add(range.min(), range));
	}

	/**
	 * Remembers that the numbers of a range are free in a place, from one of them on. Not
	 * if some of them went back since that was asked, and were granted again: others may
	 * have stored them meanwhile.
	 */
	synchronized void confirmed(Place place, long first, ReservedRange range) {
		if (this.ranges.contains(range)) {
			of(place).add(first, range);
		}
	}

	/**
	 * Finds the range that an id is of, or {@code null} if it is not known any more, or
	 * the id looks different from those that the range issues: a decorator may make
	 * others of them.
	 */
	@Nullable ReservedRange rangeOf(Object issued) {
		return this.ranges.stream().filter((range) -> {
			long number = numberOf(issued, range);
			return range.min() <= number && number <= range.max();
		}).findFirst().orElse(null);
	}

	long numberOf(Object issued, ReservedRange range) {
		return (issued instanceof Long number) ? number : this.format.numberOf((String) issued, range.serverPrefix());
	}

	/**
	 * Joins the check that is under way where the counter starts, or begins one if none
	 * reads all places, or nothing has come of it for too long. A reservation joins no
	 * check of a number that is confirmed: that one's raise comes after the reservation.
	 */
	synchronized Start joinOrBegin(List<Place> places, boolean confirming, Supplier<Start> begin) {
		this.starts.removeIf((start) -> start.result.isDone() || start.scan.isLost());
		for (Start start : this.starts) {
			if (start.confirming == confirming && start.places.containsAll(places)) {
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
		Failure last = this.failures.get(place);
		return (last != null && this.time.nanoTime() - last.beganNanos < this.settings.timeout().toNanos()) ? last
				: null;
	}

	void failed(Place place, long beganNanos, HiLoUnavailableException reason) {
		this.failures.put(place, new Failure(beganNanos, reason));
	}

	/**
	 * Remembers what is told once: a collection that may not be read, or a place whose
	 * index was looked for.
	 * @return whether it was not told yet
	 */
	boolean isNew(Object told) {
		return this.told.add(told);
	}

	boolean isTold(Object told) {
		return this.told.contains(told);
	}

	private record Failure(long beganNanos, HiLoUnavailableException reason) {
	}

	/**
	 * A check where the counter starts, and the raise that follows it.
	 *
	 * @param confirming whether it is for a number that was taken
	 * @param result ends with what the counter has at least reached
	 */
	record Start(List<Place> places, boolean confirming, CompletableFuture<Long> result, TextScan scan) {
	}

}
