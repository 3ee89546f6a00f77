package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.engine.EngineSteps;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.internal.store.TimeSource;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AsyncSequence} on a counter in memory.
 */
class AsyncSequenceTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final Tasks tasks = new Tasks();

	private final FakeRangeStore store = new FakeRangeStore("shop", this.tasks);

	private final HiLoEngine engine = engine(LONG);

	private final HiLoIdGenerator generator = this.engine.generator();

	private final AsyncSequence sequence = this.engine.async(this.store, "orders", null, this.engine.deadline(),
			Runnable::run);

	@Test
	void callersThreadOnlyHandsOverWhatMayWait() {
		this.store.hold();
		CompletableFuture<Long> first = this.sequence.nextId();
		assertThat(this.store.requests()).isEmpty();
		this.tasks.run();
		assertThat(this.store.requests()).hasSize(1);
		CompletableFuture<Long> second = this.sequence.nextId();
		this.tasks.run();
		assertThat(first.cancel(true)).isTrue();
		assertThat(this.tasks.waiting()).as("leaving the queue needs its lock").isPositive();
		this.tasks.run();
		this.store.answerAll();
		assertThat(second).isCompletedWithValue(1L);
	}

	@Test
	void callThatIsCancelledBeforeItQueuesAsksForNothing() {
		CompletableFuture<Long> call = this.sequence.nextId();
		call.cancel(true);
		this.tasks.run();
		assertThat(this.store.requests()).isEmpty();
		assertThat(this.generator.nextId("orders")).isEqualTo(1);
	}

	@Test
	void numberThatWasOnItsWayToACancelledCallBecomesAGap() {
		this.store.hold();
		List<CompletableFuture<Long>> calls = Stream.generate(this.sequence::nextId).limit(3).toList();
		this.tasks.run();
		CompletableFuture<Boolean> cancelled = calls.get(0).thenApply((id) -> calls.get(1).cancel(true));
		this.store.answerAll();
		assertThat(cancelled).isCompletedWithValue(true);
		assertThat(calls.get(1)).isCancelled();
		assertThat(calls.get(2)).isCompletedWithValue(3L);
		assertThat(this.generator.nextId("orders")).isEqualTo(4);
	}

	@Test
	void callsShareAFailureAndTheNextOneTriesAgain() {
		this.store.hold();
		List<CompletableFuture<Long>> calls = Stream.generate(this.sequence::nextId).limit(2).toList();
		this.tasks.run();
		this.store.fail(new IllegalStateException("broken"));
		List<Throwable> failures = new ArrayList<>();
		calls.forEach((call) -> assertUnavailable(call).withMessageContaining("broken").satisfies(failures::add));
		assertThat(failures.get(0)).as("each has a stack trace of its own").isNotSameAs(failures.get(1));
		this.store.answerAll();
		CompletableFuture<Long> next = this.sequence.nextId();
		this.tasks.run();
		assertThat(next).isCompletedWithValue(33L);
	}

	@Test
	void callThatWaitsWhileTheGeneratorClosesGetsItsNumberFirst() {
		this.store.hold();
		HiLoEngine own = new HiLoEngine(this.store, Class::getSimpleName, HiLoSettings.DEFAULTS, TimeSource.SYSTEM);
		CompletableFuture<Long> call = new AsyncSequence(own.sequence(this.store, "orders").placed(null), Runnable::run,
				own.deadline(), Runnable::run)
			.nextId();
		CompletableFuture<?> closing = EngineSteps.close(own);
		this.store.answerAll();
		assertThat(call).isCompletedWithValue(1L);
		assertThat(closing).isCompleted();
		assertThat(this.store.max()).isEqualTo(1);
	}

	@Test
	void releaseEndsWithTheReturns() {
		this.generator.nextId("orders");
		this.store.hold();
		CompletionStage<?> released = this.engine.releaseAsync(null);
		assertThat(this.store.returns()).isEmpty();
		this.tasks.run();
		assertThat(this.store.returns()).hasSize(1);
		assertThat(released.toCompletableFuture()).isNotDone();
		this.store.answerAll();
		assertThat(released.toCompletableFuture()).isCompleted();
		assertThat(this.store.max()).isEqualTo(1);
	}

	@Test
	void releaseTakesNoLongerThanTheTimeout() {
		HiLoEngine impatient = engine(Duration.ofMillis(200));
		impatient.generator().nextId("orders");
		this.store.hold();
		CompletionStage<?> released = impatient.releaseAsync(null);
		this.tasks.run();
		assertThat(this.store.returns()).hasSize(1);
		assertThat(released).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void whatIsThereIsTakenAtOnce() {
		assertThat(this.generator.nextId("orders")).isEqualTo(1);
		assertThat(this.sequence.nextId()).isCompletedWithValue(2L);
		assertThat(this.sequence.nextDocumentId()).isCompletedWithValue("orders/3-A");
		assertThat(this.sequence.nextIds(1)).isCompletedWithValueMatching((ids) -> Arrays.equals(ids, range(4, 4)));
		assertThat(this.sequence.nextDocumentIds(2)).isCompletedWithValue(List.of("orders/5-A", "orders/6-A"));
		assertThat(this.sequence.nextIds(26)).isCompletedWithValueMatching((ids) -> Arrays.equals(ids, range(7, 32)));
		assertThat(this.tasks.waiting()).isZero();
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void blockOfWhichOnlyAPartIsThereLeavesThatPartToTheTask() {
		this.generator.nextIds("orders", 20);
		CompletableFuture<long[]> block = this.sequence.nextIds(20);
		assertThat(block).isNotDone();
		assertThat(this.sequence.nextId()).as("nothing was taken yet").isCompletedWithValue(21L);
		this.tasks.run();
		assertThat(block).isCompletedWithValueMatching((ids) -> Arrays.equals(ids, range(22, 41)));
	}

	@Test
	void raiseIsSentByATaskAndNumbersGoOnAboveTheFloor() {
		assertThat(this.generator.nextId("orders")).isEqualTo(1);
		CompletableFuture<Long> raise = raise(5000);
		assertThat(this.store.max()).isEqualTo(32);
		this.tasks.run();
		assertThat(raise).isCompletedWithValue(5000L);
		CompletableFuture<Long> next = this.sequence.nextId();
		this.tasks.run();
		assertThat(next).isCompletedWithValue(5001L);
	}

	@Test
	void raiseThatIsCancelledBeforeItIsSentIsNotCarriedOut() {
		CompletableFuture<Long> raise = raise(4000);
		raise.cancel(true);
		this.tasks.run();
		assertThat(this.store.max()).isZero();
	}

	@Test
	void failureOfARaiseIsTheCallers() {
		this.store.hold();
		CompletableFuture<Long> raise = raise(5000);
		this.tasks.run();
		this.store.fail(new IllegalStateException("broken"));
		assertUnavailable(raise).withMessageContainingAll("'orders'", "'shop'", "raised to 5000", "broken");
	}

	private CompletableFuture<Long> raise(long floor) {
		return this.sequence.ensureAtLeast(floor);
	}

	private static long[] range(long first, long last) {
		return LongStream.rangeClosed(first, last).toArray();
	}

	private HiLoEngine engine(Duration timeout) {
		HiLoSettings settings = EngineSettings.DEFAULTS.withTimeout(timeout)
			.withPrefetch(false)
			.withSequences(1, 32, 32)
			.settings();
		return new HiLoEngine(this.store, Class::getSimpleName, settings, TimeSource.SYSTEM);
	}

	private static ThrowableAssertAlternative<?> assertUnavailable(CompletableFuture<?> call) {
		return assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(30, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOf(HiLoUnavailableException.class);
	}

	/**
	 * Tasks that run when the test says so.
	 */
	private static final class Tasks implements Executor {

		private final Queue<Runnable> queue = new ConcurrentLinkedQueue<>();

		@Override
		public void execute(Runnable task) {
			this.queue.add(task);
		}

		int waiting() {
			return this.queue.size();
		}

		/**
		 * Runs what waits, and what that leads to.
		 */
		void run() {
			for (Runnable task = this.queue.poll(); task != null; task = this.queue.poll()) {
				task.run();
			}
		}

	}

}
