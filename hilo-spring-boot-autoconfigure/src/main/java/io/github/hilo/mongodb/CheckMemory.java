package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.DocumentIdFormat;
import io.github.hilo.store.KnownPlaces;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of its checks of the stored ids of one sequence of one
 * database.
 * <p>
 * Thread-safe: the scan that is under way is guarded by this object, the set is
 * concurrent, and the rest is published by single volatile writes.
 */
final class CheckMemory {

	/**
	 * The switch of the checks.
	 */
	static final String SWITCH = "hilo.check-stored-ids";

	private static final int MAX_PLACES = 8;

	private static final int MAX_RANGES = 8;

	private final TimeSource time;

	private final Duration timeout;

	private final Set<Object> told = ConcurrentHashMap.newKeySet();

	private final String sequence;

	private final boolean checked;

	private final DocumentIdFormat format;

	private final Map<Place, FreeNumbers> places = new ConcurrentHashMap<>();

	/**
	 * The ranges that were granted lately, the last one first.
	 */
	private volatile List<ReservedRange> ranges = List.of();

	private volatile @Nullable Failure failure;

	private @Nullable Start start;

	/**
	 * Creates a memory.
	 * @param checked whether numbers of the sequence are checked at all
	 * @param format what ids of the sequence look like
	 * @param timeout how long after its beginning a check that failed for a lasting
	 * reason is not repeated
	 */
	CheckMemory(String sequence, boolean checked, DocumentIdFormat format, Duration timeout, TimeSource time) {
		this.sequence = sequence;
		this.checked = checked;
		this.format = format;
		this.timeout = timeout;
		this.time = time;
	}

	/**
	 * Finds what is remembered of a place.
	 */
	FreeNumbers of(Place place) {
		FreeNumbers known = this.places.get(place);
		return (known != null) ? known
				: this.places.computeIfAbsent(place, (absent) -> new FreeNumbers(this.format, !this.checked));
	}

	/**
	 * Finds the places that a reservation checks: those that metadata gives, the
	 * collection of the sequence's own name unless that is the default one of a field,
	 * and those where numbers were used since the last reservation began. Texts are
	 * checked where the first reservation was; those of places that became known later
	 * are confirmed.
	 * @param metadata knows the places that metadata gives
	 * @return at most 8 places
	 */
	List<Place> placesToCheck(KnownPlaces metadata) {
		if (!this.checked) {
			return List.of();
		}
		List<Place> mapped = metadata.of(this.sequence);
		Set<Place> used = this.places.entrySet()
			.stream()
			.filter((place) -> place.getValue().wasUsed() && place.getKey().mapped())
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
		Set<Place> known = Stream.concat(mapped.stream(), this.places.keySet().stream().filter(Place::mapped))
			.collect(Collectors.toSet());
		Stream<Boolean> forms = known.isEmpty() ? Stream.of(false, true)
				: known.stream()
					.filter((place) -> place.isId() || !place.defaultSequence().equals(this.sequence))
					.map(Place::text);
		Stream<Place> ofName = forms.map((text) -> new Place(this.sequence, Place.ID, text, false))
			.filter((place) -> !known.contains(new Place(this.sequence, Place.ID, place.text(), true)));
		boolean first = this.ranges.isEmpty();
		return Stream.of(mapped.stream(), ofName, used.stream())
			.flatMap((places) -> places)
			.distinct()
			.filter((place) -> first || !place.text() || of(place).isTrusted())
			.limit(MAX_PLACES)
			.toList();
	}

	/**
	 * Whether a known type uses the sequence.
	 */
	boolean isUsed() {
		return this.places.keySet().stream().anyMatch(Place::mapped);
	}

	/**
	 * Remembers a range before any of its numbers is issued.
	 * @param checked the places in which it is free
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
	 * Finds the range that a number is of.
	 * @return the range, or one of this number alone if it is not known any more
	 */
	ReservedRange rangeOf(long number) {
		return this.ranges.stream()
			.filter((range) -> range.min() <= number && number <= range.max())
			.findFirst()
			.orElseGet(() -> new ReservedRange(number, number, "", List.of()));
	}

	/**
	 * Joins the check that is under way where the counter starts, or begins one. One that
	 * leaves places out is waited for first: one sequence has one at a time, unless
	 * nothing has come of it for too long.
	 */
	synchronized Start joinOrBegin(List<Place> places, Supplier<Start> begin) {
		Start last = this.start;
		Start joined;
		if (last == null || last.result.isDone() || last.scan.isLost()) {
			joined = begin.get();
		}
		else if (last.places.containsAll(places)) {
			joined = last;
		}
		else {
			CompletableFuture<@Nullable Void> ended = last.result.handle((reached, failure) -> null);
			joined = new Start(places, ended.thenCompose((none) -> begin.get().result), last.scan);
		}
		this.start = joined;
		return joined;
	}

	/**
	 * Refuses a check where one failed a moment ago for a reason that lasts.
	 * @throws HiLoUnavailableException if one did
	 */
	void requireReady() {
		Failure last = this.failure;
		if (last != null && nanoTime() - last.beganNanos < this.timeout.toNanos()) {
			throw last.reason;
		}
	}

	long nanoTime() {
		return this.time.nanoTime();
	}

	/**
	 * Describes why a check failed, and remembers that if the reason lasts.
	 * @param whatToDo the end of the message
	 */
	<T> CompletionStage<T> described(CompletionStage<T> check, String whatToDo) {
		return check.exceptionallyCompose((failure) -> CompletableFuture
			.failedFuture((Failures.causeOf(failure) instanceof StoredIdReader.UnreadableException unreadable)
					? describe(unreadable, whatToDo) : failure));
	}

	private HiLoUnavailableException describe(StoredIdReader.UnreadableException failure, String whatToDo) {
		HiLoUnavailableException reason = new HiLoUnavailableException(
				"the ids that are stored already could not be read from " + failure.getMessage()
						+ ". Without that a stored document could be overwritten. " + (failure.lasts()
								? "It is tried again " + Timeouts.named(this.timeout) + " after it began. " : "")
						+ whatToDo,
				failure);
		if (failure.lasts()) {
			this.failure = new Failure(failure.beganNanos(), reason);
		}
		return reason;
	}

	/**
	 * Remembers what is told once: a collection that may not be read, or a place that is
	 * checked.
	 * @return whether that is news
	 */
	boolean isNew(Object told) {
		return this.told.add(told);
	}

	private record Failure(long beganNanos, RuntimeException reason) {
	}

	/**
	 * A check where the counter starts, and the raise that follows it.
	 *
	 * @param places where it reads ids
	 * @param result ends with what the counter has at least reached
	 * @param scan tells how far the scan of the texts has come
	 */
	record Start(List<Place> places, CompletableFuture<Long> result, TextScan scan) {
	}

}
