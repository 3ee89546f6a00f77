package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * A counter in memory, and documents that others store. It carries out each command a
 * little later, and answers later still.
 * <p>
 * Thread-safe: commands, and others that store, hold this object's lock.
 */
final class LateRangeStore implements RangeStore, AutoCloseable {

	private static final int MOST_MICROS_LATE = 150;

	private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

	private final Map<Place, Documents> documents = new ConcurrentHashMap<>();

	private final Random random;

	private long max;

	private int grants;

	private long reservations;

	private long finds;

	// The numbers that reservations have passed because documents had some of them.
	private long passed;

	LateRangeStore(long seed) {
		this.random = new Random(seed);
	}

	/**
	 * Stores documents with numbers that no check of the place has reached: each check
	 * that comes to them finds them. So they are never issued there from now on.
	 */
	synchronized void insert(Place place, long first, int count) {
		Documents there = in(place);
		for (long number = Math.max(first, there.checkedTo + 1); number < first + count; number++) {
			there.numbers.add(number);
		}
	}

	/**
	 * Stores a document with a number that the application has chosen.
	 * @param moment when the sequence had been told of it
	 */
	synchronized void choose(Place place, long number, long moment) {
		in(place).chosen.putIfAbsent(number, moment);
	}

	/**
	 * Whether a number of a place was stored, or chosen before some moment, so that no
	 * call that began then may issue it.
	 */
	boolean has(Place place, long number, long moment) {
		Documents there = in(place);
		return there.numbers.contains(number) || there.chosen.getOrDefault(number, Long.MAX_VALUE) < moment;
	}

	synchronized long max() {
		return this.max;
	}

	synchronized long reservations() {
		return this.reservations;
	}

	synchronized long finds() {
		return this.finds;
	}

	synchronized long passed() {
		return this.passed;
	}

	@Override
	public String database() {
		return "shop";
	}

	@Override
	public String counterId(String sequence) {
		return "Raven/HiLo/" + sequence;
	}

	@Override
	public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
			Consumer<CounterRepair> repaired) {
		return later(() -> {
			this.reservations++;
			long first = Math.max(this.max, request.above()) + 1;
			long last = first - 1 + request.size();
			for (long stored = check(request.places(), first, last); stored > 0; stored = check(request.places(), first,
					last)) {
				this.passed += stored + 1 - first;
				first = stored + 1;
				last = stored + request.size();
			}
			this.max = last;
			this.grants++;
			return new ReservedRange(first, last, "", grants(), request.places());
		});
	}

	@Override
	public CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
		return later(() -> {
			boolean latest = this.max == unused.max() && unused.grants().equals(grants());
			if (latest) {
				this.max = unused.lastIssued();
				this.grants++;
			}
			return latest;
		});
	}

	private List<Integer> grants() {
		return List.of(this.grants, this.grants - 1);
	}

	@Override
	public CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
		return later(() -> {
			this.max = Math.max(this.max, floor);
			this.grants++;
			return this.max;
		});
	}

	@Override
	public CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return later(() -> {
			this.finds++;
			return check(List.of(place), numbers.min(), numbers.max());
		});
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

	/**
	 * Finds the highest stored number of a range, or 0.
	 */
	private long check(List<Place> places, long first, long last) {
		long highest = 0;
		for (Place place : places) {
			Documents there = in(place);
			there.checkedTo = Math.max(there.checkedTo, last);
			Long stored = there.numbers.floor(last);
			highest = (stored != null && stored >= first) ? Math.max(highest, stored) : highest;
			Long chosen = there.chosen.floorKey(last);
			highest = (chosen != null && chosen >= first) ? Math.max(highest, chosen) : highest;
		}
		return highest;
	}

	private Documents in(Place place) {
		return this.documents.computeIfAbsent(place, (absent) -> new Documents());
	}

	private <T extends @Nullable Object> CompletionStage<T> later(Supplier<T> command) {
		return CompletableFuture.supplyAsync(() -> {
			synchronized (this) {
				return command.get();
			}
		}, this::runLate).thenApplyAsync(Function.identity(), this::runLate);
	}

	void runLate(Runnable task) {
		Future<?> unused = this.threads.schedule(task, this.random.nextInt(MOST_MICROS_LATE), TimeUnit.MICROSECONDS);
	}

	/**
	 * The documents of one place. The judge reads their numbers without the lock.
	 */
	private static final class Documents {

		private final NavigableSet<Long> numbers = new ConcurrentSkipListSet<>();

		private final NavigableMap<Long, Long> chosen = new ConcurrentSkipListMap<>();

		// The highest number that any check of the place has asked for.
		private long checkedTo;

	}

}
