package io.github.hilo.internal.sequence;

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
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A counter in memory, and documents that others store. It carries out each command a
 * little later, and answers later still.
 * <p>
 * Thread-safe: commands, and others that store, hold this object's lock.
 */
final class LateRangeStore extends FakeRangeStore {

	private static final int MOST_MICROS_LATE = 150;

	private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);

	private final Map<Place, Documents> documents = new ConcurrentHashMap<>();

	private final Random random;

	LateRangeStore(long seed) {
		super("shop");
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

	@Override
	protected long highestStored(Place place, long first, long last) {
		Documents there = in(place);
		there.checkedTo = Math.max(there.checkedTo, last);
		Long stored = there.numbers.floor(last);
		Long chosen = there.chosen.floorKey(last);
		long highest = Math.max((stored != null) ? stored : 0, (chosen != null) ? chosen : 0);
		return (highest >= first) ? highest : 0;
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

	private Documents in(Place place) {
		return this.documents.computeIfAbsent(place, (absent) -> new Documents());
	}

	@Override
	protected <T extends @Nullable Object> CompletionStage<T> submit(Supplier<T> command) {
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
