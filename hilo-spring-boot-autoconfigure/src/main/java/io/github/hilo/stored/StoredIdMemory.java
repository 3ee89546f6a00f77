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
		return of(place);
	}

	FreeIntervals of(Place place) {
		FreeIntervals known = this.places.get(place);
		return (known != null) ? known
				: this.places.computeIfAbsent(place, (absent) -> new FreeIntervals(this::numberOf, !this.checked));
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
	 * Finds the places that a reservation checks: those that metadata gives, the
	 * collection of the sequence's own name unless that is the default one of a field,
	 * and those where numbers were used since the last reservation began. Texts are
	 * checked where the first reservation was; those of other places are confirmed.
	 * @return at most 8 places
	 */
	List<Place> placesToCheck() {
		if (!this.checked) {
			return List.of();
		}
		List<Place> mapped = this.settings.places().apply(this.sequence);
		List<Place> met = this.places.keySet().stream().filter(Place::mapped).toList();
		List<Place> used = met.stream()
			.filter((place) -> of(place).wasUsed() && !place.text() && failureOf(place) == null)
			.toList();
		Set<Place> known = new HashSet<>(mapped);
		known.addAll(met);
		Stream<Boolean> forms = known.isEmpty() ? Stream.of(false, true)
				: known.stream()
					.filter((place) -> place.isId() || !place.defaultSequence().equals(this.sequence))
					.map(Place::text);
		Stream<Place> ofName = forms.map((text) -> new Place(this.sequence, Place.ID, text,
				known.contains(new Place(this.sequence, Place.ID, text, true))));
		boolean first = this.ranges.isEmpty();
		return Stream.of(mapped.stream(), ofName, used.stream())
			.flatMap((places) -> places)
			.distinct()
			.filter((place) -> first || !place.text() || of(place).isTrusted())
			.limit(MAX_PLACES)
			.toList();
	}

	/**
	 * Remembers a range, and where it is free, before any of its numbers is issued.
	 */
	synchronized void granted(ReservedRange range, List<Place> checked) {
		this.places.values().forEach((place) -> place.forgetFrom(range.min()));
		for (Place place : checked) {
			if (place.text()) {
				of(place).trust();
			}
			else {
				of(place).add(range.min(), range.max());
			}
		}
		this.ranges = Stream.concat(Stream.of(range), this.ranges.stream()).limit(MAX_RANGES).toList();
	}

	/**
	 * Finds the range that a number is of, or one of this number alone if it is not known
	 * any more.
	 */
	ReservedRange rangeOf(long number) {
		return this.ranges.stream()
			.filter((range) -> range.min() <= number && number <= range.max())
			.findFirst()
			.orElseGet(() -> new ReservedRange(number, number, "", List.of()));
	}

	/**
	 * Finds the number of a document id that looks as the sequence issues it: a decorator
	 * may make others of it.
	 * @return the number, or 0 if it looks different
	 */
	long numberOf(String id) {
		long number = this.format.lastNumberIn(id);
		return id.equals(this.format.id(rangeOf(number).serverPrefix(), number)) ? number : 0;
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
	 * Whether it was not told yet: a collection that may not be read, or a place that is
	 * checked.
	 */
	boolean isNew(Object told) {
		return this.told.add(told);
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
