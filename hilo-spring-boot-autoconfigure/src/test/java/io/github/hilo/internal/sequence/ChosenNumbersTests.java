package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;

import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.LaterTasks;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Places;
import io.github.hilo.internal.store.Tasks;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ChosenNumbers} and {@link ChosenMemory}: how long what was chosen is
 * remembered, and how much of it.
 */
class ChosenNumbersTests {

	private static final Duration BETWEEN = ChosenMemory.BETWEEN_LOOKS;

	private final ManualTime time = new ManualTime();

	private final LaterTasks tasks = new LaterTasks();

	private final ChosenMemory memory = new ChosenMemory(this.time, this.tasks);

	private final ChosenNumbers everywhere = this.memory.ofAllDatabases();

	private final ChosenNumbers chosen = this.everywhere.inDatabase();

	private final FakeRangeStore store = new FakeRangeStore("shop", this.tasks);

	private final RangeSequence sequence = sequence();

	private final PlacedSequence orders = this.sequence.placed(null);

	private RangeSequence sequence() {
		return new RangeSequence("orders", this.store,
				EngineSettings.DEFAULTS.withPrefetch(false).withSequences(1, 8, 8).settings(), new Places(),
				this.chosen, () -> {
				}, this.time, new AtomicReference<>(RangeSequence.Mode.RUNNING), (event) -> {
				}, this.tasks);
	}

	/**
	 * The second choice comes directly before the first look, and needs no lock.
	 */
	@Test
	void numberIsRememberedForFiveMinutesAndASecondAndNoLongerThanSix() {
		this.sequence.exclude(5);
		this.time.advance(BETWEEN.minusMillis(1));
		this.sequence.exclude(5);
		this.time.advance(Duration.ofMillis(1));
		this.tasks.runDue();
		pass(Duration.ofMinutes(5).plusSeconds(1));
		assertThat(remembered()).containsExactly(5);
		pass(Duration.ofMinutes(1));
		assertThat(remembered()).isEmpty();
		assertThat(this.tasks.runDue()).as("nothing is left to do").isFalse();
	}

	@Test
	void eachChoiceBeginsAnew() {
		this.sequence.exclude(5);
		pass(Duration.ofMinutes(2));
		this.sequence.exclude(5);
		pass(Duration.ofMinutes(3));
		this.sequence.exclude(7);
		pass(Duration.ofMinutes(2));
		assertThat(remembered()).containsExactly(5, 7);
		pass(Duration.ofMinutes(1));
		assertThat(remembered()).containsExactly(7);
	}

	/**
	 * While others go on choosing, too.
	 */
	@Test
	void numberIsForgottenWhileOthersAreChosen() {
		this.chosen.add(5);
		for (int i = 0; i < 600; i++) {
			pass(Duration.ofSeconds(1));
			this.chosen.add(1_000 + 2 * i);
		}
		assertThat(remembered()).doesNotContain(5L).contains(2_198L, 2_198L - 2 * 300);
	}

	@Test
	void rangeExcludesWhatWasChosenForAsLongAsItIsHeld() {
		this.orders.nextId();
		this.sequence.exclude(5);
		pass(Duration.ofMinutes(10));
		assertThat(remembered()).isEmpty();
		assertThat(next(6)).containsExactly(2, 3, 4, 6, 7, 8);
	}

	@Test
	void rangeThatArrivesExcludesWhatWasChosenWithinFiveMinutes() {
		this.sequence.exclude(5);
		pass(Duration.ofMinutes(4));
		this.sequence.exclude(12);
		pass(Duration.ofMinutes(4));
		assertThat(next(13)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14);
	}

	/**
	 * As after a restored backup, or a return that was carried out without an answer.
	 */
	@Test
	void rangeThatComesAgainExcludesWhatWasChosen() {
		this.sequence.exclude(5);
		for (int i = 0; i < 3; i++) {
			assertThat(this.sequence.ensureRange(this.store).findFirst().orElseThrow()).isDone();
			this.sequence.reset();
			this.store.max(0);
		}
		assertThat(next(7)).containsExactly(1, 2, 3, 4, 6, 7, 8);
	}

	@Test
	void numberOfNoKnownDatabaseIsExcludedInEachOneForItsTime() {
		this.everywhere.add(3);
		assertThat(next(3)).containsExactly(1, 2, 4);
		this.everywhere.add(12);
		pass(Duration.ofMinutes(6));
		assertThat(next(10)).contains(12L);
	}

	@Test
	void allThatFitsIsExact() {
		LongStream.rangeClosed(1, ChosenMemory.MOST).forEach((i) -> this.chosen.add(1_000 * i));
		assertThat(intervals().count()).isEqualTo(ChosenMemory.MOST);
	}

	@Test
	void beyondTheBoundTheSmallestGapsAreGivenUp() {
		long[] all = LongStream.rangeClosed(1, 70_000).map((i) -> 1_000 * i + i % 13).toArray();
		LongStream.of(all).forEach(this.chosen::add);
		Intervals remembered = intervals();
		assertThat(LongStream.of(all)).allMatch(remembered::has);
		assertThat(remembered.size()).isBetween(ChosenMemory.MOST - ChosenMemory.MOST / 8, ChosenMemory.MOST);
		assertThat(remembered.count()).as("of 70,000,000").isLessThan(13_000_000);
		pass(Duration.ofMinutes(6));
		assertThat(intervals().size()).isZero();
	}

	@Test
	void boundIsDividedByTheSequencesThatHaveAny() {
		for (long i = 1; i <= 40_000; i++) {
			this.chosen.add(10 * i);
		}
		ChosenNumbers other = this.memory.ofAllDatabases();
		other.add(1);
		pass(BETWEEN);
		assertThat(intervals().size()).isEqualTo(ChosenMemory.MOST / 2);
		assertThat(LongStream.rangeClosed(1, 40_000).map((i) -> 10 * i)).allMatch(intervals()::has);
		LongStream.range(0, 10_000).forEach((i) -> this.memory.ofAllDatabases().add(i + 1));
		LongStream.range(0, 100).forEach((i) -> other.add(2 * i + 1));
		assertThat(intervalsOf(other).size()).as("the least share").isBetween(14, ChosenMemory.LEAST_SHARE);
	}

	/**
	 * As a stack overflow at the timer does.
	 */
	@Test
	void errorThatKeepsALookFromBeingPlannedIsMadeGoodByTheNextNumber() {
		boolean[] fails = { true };
		ChosenNumbers failing = new ChosenMemory(this.time, new Tasks() {

			@Override
			public void execute(Runnable task) {
				task.run();
			}

			@Override
			public Future<?> whenOver(Deadline deadline, Runnable task) {
				if (fails[0]) {
					throw new StackOverflowError();
				}
				return ChosenNumbersTests.this.tasks.whenOver(deadline, task);
			}

		}).ofAllDatabases();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> failing.add(5));
		assertThat(intervalsOf(failing).has(5)).isTrue();
		fails[0] = false;
		failing.add(7);
		pass(Duration.ofMinutes(6));
		assertThat(intervalsOf(failing).size()).isZero();
	}

	@Test
	void closedMemoryForgetsNothingMore() {
		this.chosen.add(5);
		this.memory.close();
		assertThat(this.tasks.runDue()).isFalse();
		this.chosen.add(6);
		assertThat(this.tasks.runDue()).isFalse();
	}

	private long[] next(int count) {
		return LongStream.range(0, count).map((i) -> this.orders.nextId()).toArray();
	}

	private void pass(Duration duration) {
		for (Duration left = duration; !left.isNegative() && !left.isZero(); left = left.minus(BETWEEN)) {
			this.time.advance((left.compareTo(BETWEEN) > 0) ? BETWEEN : left);
			this.tasks.runDue();
		}
	}

	private long[] remembered() {
		Intervals all = intervals();
		return LongStream.rangeClosed(1, 3_000).filter(all::has).toArray();
	}

	private Intervals intervals() {
		return intervalsOf(this.chosen);
	}

	private static Intervals intervalsOf(ChosenNumbers chosen) {
		Intervals all = new Intervals();
		chosen.addTo(all, 1, Long.MAX_VALUE - 1);
		return all;
	}

}
