package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WithoutWarnings;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lets threads of every kind meet at one sequence: callers with a place and without one,
 * late places of which several threads learn at the same time, bursts of calls that do
 * not block, blocks, releases and pauses, while the application chooses some of the next
 * numbers and somebody else stores others. The seed decides on what each thread does,
 * though not on how they meet. With
 * {@code mvn verify -Dtest=SequenceHammerTests -Dhilo.hammer.seconds=60} each seed takes
 * as long as you say.
 */
@Thorough
@ExtendWith(WithoutWarnings.class)
class SequenceHammerTests {

	private static final Askers ASKERS = new Askers(Runnable::run);

	private static final int SECONDS = Integer.getInteger("hilo.hammer.seconds", 0);

	// Ten are enough on a machine that does nothing else.
	private static final int MOST_SECONDS = 300;

	private static final int LATE_CALLS = 15_000;

	private static final int CALLS_OF_A_LATE_PLACE = 8;

	private static final int LATE_PLACES = 200;

	private static final int MOST_OF_AN_IMPORT = 300;

	private static final int MOST_OF_A_BURST = 1_000;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final Place ORDERS = place("orders");

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void noThreadBreaksAPromise(long seed) throws InterruptedException {
		try (LateRangeStore store = new LateRangeStore(seed)) {
			new Hammer(store, false).run(seed);
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2 })
	void noThreadBreaksAPromiseOfAConsecutiveSequence(long seed) throws InterruptedException {
		try (LateRangeStore store = new LateRangeStore(seed)) {
			new Hammer(store, true).run(seed);
		}
	}

	private static Place place(String collection) {
		return Place.ofType(collection, Place.ID, IdForm.NUMBER);
	}

	/**
	 * The threads at one sequence, and the judge of what they get.
	 */
	private static final class Hammer {

		private final LateRangeStore store;

		private final AtomicReference<RangeSequence.Mode> mode = new AtomicReference<>(RangeSequence.Mode.RUNNING);

		private final Places known = new Places();

		private final RangeSequence sequence;

		// A bit for each number.
		private final Map<Long, AtomicLongArray> issued = new ConcurrentHashMap<>();

		// The highest number of the calls that have ended.
		private final AtomicLong highest = new AtomicLong();

		private final AtomicLong lateTurn = new AtomicLong();

		private final LongAdder late = new LongAdder();

		// Counts calls, and numbers that were chosen.
		private final AtomicLong clock = new AtomicLong();

		private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);

		private volatile boolean over;

		private final int calls;

		private Hammer(LateRangeStore store, boolean consecutive) {
			this.known.add(ORDERS);
			this.store = store;
			this.calls = consecutive ? LATE_CALLS / 10 : LATE_CALLS;
			HiLoSettings.SequenceSettings own = new HiLoSettings.SequenceSettings(1, 32, 512, consecutive, true);
			this.sequence = new RangeSequence("orders", store,
					new HiLoSettings(EngineSettings.DEFAULTS.settings().formats(), TIMEOUT, 2, true, (name) -> own),
					this.known, ChosenInTests.of(TimeSource.SYSTEM), () -> {
					}, TimeSource.SYSTEM, this.mode, (event) -> {
					}, store::runLate);
		}

		private void run(long seed) throws InterruptedException {
			PlacedSequence orders = this.sequence.placed(ORDERS);
			List<Consumer<Random>> steps = List.of((random) -> hot(random, ORDERS, orders::nextId),
					(random) -> hot(random, ORDERS, () -> this.sequence.placed(ORDERS).nextId()),
					(random) -> hot(random, ORDERS, this.sequence.placed(null)::nextId), this::late, this::late,
					this::late, this::late, this::block, this::block, this::burst, this::choose, this::operate);
			List<Callable<Boolean>> threads = new ArrayList<>();
			for (Consumer<Random> step : steps) {
				Random random = new Random(seed * steps.size() + threads.size());
				threads.add(() -> repeat(step, random));
			}
			ExecutorService executor = Executors.newFixedThreadPool(threads.size());
			List<Future<Boolean>> ended = executor.invokeAll(threads, SECONDS + MOST_SECONDS, TimeUnit.SECONDS);
			executor.shutdownNow();
			for (Future<Boolean> thread : ended) {
				assertThat(thread).as("seed %d", seed).succeedsWithin(Duration.ZERO);
			}
			assertThat(this.sequence.release()).as("the last release, seed %d", seed).succeedsWithin(TIMEOUT);
		}

		private boolean repeat(Consumer<Random> step, Random random) {
			try {
				while (!this.over) {
					step.accept(random);
				}
				return true;
			}
			finally {
				this.over = true;
			}
		}

		private void hot(Random random, @Nullable Place place, Supplier<Long> call) {
			judge(place, () -> new long[] { call.get() });
			if (random.nextInt(64) == 0) {
				LockSupport.parkNanos(random.nextInt(50_000));
			}
		}

		private void late(Random random) {
			Place place = latePlace();
			for (int i = random.nextInt(3); i > 0; i--) {
				this.store.insert(place, this.highest.get() + 1 + random.nextInt(random.nextBoolean() ? 20 : 400), 1);
			}
			judge(place, () -> new long[] { this.sequence.placed(place).nextId() });
			this.late.increment();
			if ((SECONDS > 0) ? System.nanoTime() > this.endNanos : this.late.sum() >= this.calls) {
				this.over = true;
			}
		}

		/**
		 * Begins calls that do not block until the first one has its number: some begin
		 * at the very moment in which the find for their place is answered.
		 */
		private void burst(Random random) {
			Place place = latePlace();
			this.store.insert(place, this.highest.get() + 1, random.nextInt(MOST_OF_AN_IMPORT));
			List<CompletableFuture<?>> calls = new ArrayList<>();
			do {
				long before = this.highest.get();
				long moment = this.clock.incrementAndGet();
				calls.add(this.sequence.placed(place)
					.request(1, IdForm.NUMBER, new Deadline(TIMEOUT, TimeSource.SYSTEM), null, ASKERS)
					.thenAccept((served) -> judge(place, before, moment, served.first())));
			}
			while (!calls.get(0).isDone() && calls.size() < MOST_OF_A_BURST);
			CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
			LockSupport.parkNanos(random.nextInt(1_000_000));
		}

		/**
		 * The application chooses one of the next numbers, and stores its document.
		 */
		private void choose(Random random) {
			long number = this.highest.get() + 1 + random.nextInt(random.nextInt(10) == 0 ? 100_000 : 200);
			this.sequence.exclude(number);
			this.store.choose(ORDERS, number, this.clock.incrementAndGet());
			LockSupport.parkNanos(300_000);
		}

		private void block(Random random) {
			Place place = random.nextBoolean() ? ORDERS : latePlace();
			try {
				judge(place, () -> this.sequence.placed(place).nextIds(1 + random.nextInt(300)));
			}
			catch (HiLoUnavailableException ex) {
				assertThat(ex).as("chosen numbers leave no room").hasMessageContaining(" had no room ");
			}
		}

		/**
		 * The place of the moment: its next callers, on several threads, go there, too.
		 */
		private Place latePlace() {
			return place("late-" + this.lateTurn.getAndIncrement() / CALLS_OF_A_LATE_PLACE % LATE_PLACES);
		}

		private void operate(Random random) {
			boolean pause = random.nextInt(4) == 0;
			if (pause) {
				this.mode.set(RangeSequence.Mode.PAUSED);
			}
			this.sequence.release().join();
			if (random.nextInt(8) == 0) {
				long floor = this.highest.get() + random.nextInt(50);
				this.sequence.placed(null).ensureAtLeast(Math.max(1, floor));
				this.highest.accumulateAndGet(floor, Math::max);
			}
			LockSupport.parkNanos(random.nextInt(pause ? 1_000_000 : 40_000_000));
			if (pause) {
				this.sequence.reset();
				this.mode.set(RangeSequence.Mode.RUNNING);
				this.sequence.proceed();
			}
		}

		/**
		 * Judges the numbers of a call: nobody has had them, no document of the place had
		 * them before it was checked, and they are in order, above those of all calls
		 * that had ended before this one began.
		 */
		private void judge(@Nullable Place place, Supplier<long[]> call) {
			long before = this.highest.get();
			long moment = this.clock.incrementAndGet();
			judge(place, before, moment, call.get());
		}

		private void judge(@Nullable Place place, long before, long moment, long... numbers) {
			long last = before;
			for (long number : numbers) {
				if (!isFirst(number)) {
					throw new AssertionError(number + " was issued twice");
				}
				if (number <= last) {
					throw new AssertionError(number + " was issued after " + last);
				}
				if (place != null && this.store.has(place, number, moment)) {
					throw new AssertionError(number + " was issued, but it is stored in " + place.describe());
				}
				last = number;
			}
			this.highest.accumulateAndGet(last, Math::max);
		}

		private boolean isFirst(long number) {
			long bit = 1L << number;
			AtomicLongArray words = this.issued.computeIfAbsent(number >> 20, (page) -> new AtomicLongArray(1 << 14));
			return (words.getAndAccumulate((int) (number >> 6) & ((1 << 14) - 1), bit, (a, b) -> a | b) & bit) == 0;
		}

	}

}
