package io.github.hilo.stored;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.mongodb.Deadline;
import io.github.hilo.mongodb.Failures;
import io.github.hilo.mongodb.StoreCommands;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Place;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.StoredPlace;
import io.github.hilo.store.TimeSource;
import io.github.hilo.text.DocumentIdFormat;
import io.github.hilo.text.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * The stored ids of one sequence of one database: checks numbers against them, and
 * remembers what was found. Internal.
 * <p>
 * Thread-safe: places are in a concurrent map, what changes together is guarded by this
 * object, and the rest is published by single volatile writes.
 *
 * @hidden
 */
public final class StoredIds {

	/**
	 * The switch of the checks.
	 */
	static final String SWITCH = "hilo.check-stored-ids";

	private static final int MAX_PLACES = 8;

	private static final int MAX_RANGES = 8;

	private final String sequence;

	private final String described;

	private final CheckSettings settings;

	private final TimeSource time;

	private final Executor executor;

	private final UnknownNames unknown;

	private final DocumentIdFormat format;

	private final boolean checked;

	private final Set<Object> told = ConcurrentHashMap.newKeySet();

	private final Map<Place, FreeNumbers> places = new ConcurrentHashMap<>();

	/**
	 * Why a check failed for a reason that lasts.
	 */
	private final Map<Place, Failure> failures = new ConcurrentHashMap<>();

	/**
	 * The ranges that were granted lately, the last one first.
	 */
	private volatile List<ReservedRange> ranges = List.of();

	private final List<Start> starts = new ArrayList<>();

	/**
	 * Creates a memory of nothing.
	 * @param sequence the sequence's name
	 * @param described what messages call it
	 * @param settings the configuration
	 * @param time the clock
	 * @param executor runs short tasks
	 * @param unknown tells of counters whose names nothing uses
	 */
	public StoredIds(String sequence, String described, CheckSettings settings, TimeSource time, Executor executor,
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

	/**
	 * Finds what is remembered of a place.
	 * @param place where numbers are about to be stored
	 * @return what is known, always the same
	 */
	public StoredPlace place(Place place) {
		return of(place);
	}

	/**
	 * Begins the checks of a reservation.
	 * @param commands what sends the finds
	 * @param deadline by when the reservation must have ended
	 * @param request what is asked for
	 * @return the checks
	 */
	public RangeCheck reservation(StoreCommands commands, Deadline deadline, RangeRequest request) {
		List<Place> places = placesToCheck();
		return new RangeCheck(new StoredIdReader(commands, this, places, () -> deadline),
				start(commands, places, deadline, request.timeout(), false), request.issued());
	}

	/**
	 * Confirms that no document of a place has a number that was issued.
	 * @param commands what sends the finds
	 * @param deadline by when it must have ended
	 * @param place where the number is about to be stored
	 * @param issued the number, or the document id
	 * @param raise raises the counter to a floor if one has it
	 * @return whether it is free
	 */
	public CompletionStage<Boolean> confirm(StoreCommands commands, Deadline deadline, Place place, Object issued,
			LongFunction<CompletionStage<Long>> raise) {
		List<Place> places = List.of(place);
		return new PlaceCheck(place, new StoredIdReader(commands, this, places, () -> deadline),
				start(commands, places, deadline, timeout(), true), raise)
			.confirm(issued);
	}

	/**
	 * Finds the highest number that ids have, and changes nothing.
	 * @param commands what sends the finds
	 * @param places where to read
	 * @param stepTimeout the longest that one step may take
	 * @return the highest number
	 */
	public CompletionStage<HighestStoredId> highest(StoreCommands commands, List<Place> places, Duration stepTimeout) {
		StoredIdReader reader = new StoredIdReader(commands, this, places, () -> new Deadline(stepTimeout, this.time));
		return reader.highest(reader.highestNumbers(0), new TextScan(this.described, this.time, stepTimeout));
	}

	private StartCheck start(StoreCommands commands, List<Place> places, Deadline deadline, Duration timeout,
			boolean confirming) {
		return new StartCheck(new StoredIdReader(commands, this, places, () -> new Deadline(timeout, this.time)),
				deadline, confirming);
	}

	FreeNumbers of(Place place) {
		FreeNumbers known = this.places.get(place);
		return (known != null) ? known
				: this.places.computeIfAbsent(place, (absent) -> new FreeNumbers(this::numberOf, !this.checked));
	}

	String describe() {
		return this.described;
	}

	DocumentIdFormat format() {
		return this.format;
	}

	Duration timeout() {
		return this.settings.timeout();
	}

	TextScan newScan() {
		return new TextScan(this.described, this.time, timeout());
	}

	/**
	 * Runs a task on a thread of our own, once some time has passed.
	 */
	void after(Duration pause, Runnable task) {
		this.time.after(pause, this.executor, task);
	}

	/**
	 * Points out a counter that was created although no known type, no setting and no
	 * document uses its name.
	 */
	void created() {
		if (this.places.keySet().stream().noneMatch(Place::mapped) && !this.settings.named().contains(this.sequence)
				&& this.settings.places().of(this.sequence).isEmpty()) {
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
	private List<Place> placesToCheck() {
		if (!this.checked) {
			return List.of();
		}
		List<Place> mapped = this.settings.places().of(this.sequence);
		Set<Place> used = this.places.entrySet()
			.stream()
			.filter((place) -> place.getValue().wasUsed() && place.getKey().mapped())
			.map(Map.Entry::getKey)
			.filter((place) -> !place.text() && failureOf(place) == null)
			.collect(Collectors.toSet());
		Set<Place> known = Stream.concat(mapped.stream(), this.places.keySet().stream().filter(Place::mapped))
			.collect(Collectors.toSet());
		Stream<Boolean> forms = known.isEmpty() ? Stream.of(false, true)
				: known.stream()
					.filter((place) -> place.isId() || !place.defaultSequence().equals(this.sequence))
					.map(Place::text);
		Stream<Place> ofName = forms.map((text) -> new Place(this.sequence, Place.ID, text, false)).map((place) -> {
			Place saved = new Place(this.sequence, Place.ID, place.text(), true);
			return known.contains(saved) ? saved : place;
		});
		boolean first = this.ranges.isEmpty();
		return Stream.of(mapped.stream(), ofName, used.stream())
			.flatMap((places) -> places)
			.distinct()
			.filter((place) -> first || !place.text() || of(place).isTrusted())
			.limit(MAX_PLACES)
			.toList();
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
	 * Refuses a check of places where one failed a moment ago for a reason that lasts.
	 * @throws HiLoUnavailableException if one did
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
		return (last != null && nanoTime() - last.beganNanos < timeout().toNanos()) ? last : null;
	}

	Executor executor() {
		return this.executor;
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
								? "It is tried again " + Timeouts.named(timeout()) + " after it began. " : "")
						+ whatToDo,
				failure);
		if (failure.lasts()) {
			this.failures.put(failure.place(), new Failure(failure.beganNanos(), reason));
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
	 * @param confirming whether it is for a number that was taken
	 * @param result ends with what the counter has at least reached
	 * @param scan tells how far the scan of the texts has come
	 */
	record Start(List<Place> places, boolean confirming, CompletableFuture<Long> result, TextScan scan) {
	}

}
