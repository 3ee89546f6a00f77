package io.github.hilo.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import io.github.hilo.store.StoredIds;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for callers that queue while the store misbehaves.
 */
class WaiterTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	@Test
	void callersGetTheirNumbersThoughTheNextRequestCannotBeSent() {
		BreakingStore breaking = new BreakingStore(this.store);
		RangeSequence sequence = sequence(breaking, 1, Duration.ofMinutes(1));
		this.store.hold();
		Waiter first = sequence.ask(null, new Waiter(true));
		Waiter second = sequence.ask(null, new Waiter(true));
		breaking.broken = true;
		this.store.answer();
		breaking.broken = false;
		this.store.answerAll();
		assertThat(first.answer().toCompletableFuture()).isCompleted();
		assertThat(second.answer().toCompletableFuture()).isCompletedExceptionally();
		assertThat(sequence.nextId()).isEqualTo(2);
	}

	@Test
	void callersThatLeftAreNotKeptWhileARequestIsUnderWay() {
		this.store.hold();
		RangeSequence sequence = sequence(this.store, 32, Duration.ofMillis(1));
		for (int i = 0; i < 100; i++) {
			assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(sequence::nextId);
		}
		Object state = Objects.requireNonNull(ReflectionTestUtils.getField(sequence, "state"));
		assertThat(ReflectionTestUtils.getField(state, "waiters")).isInstanceOf(WaitQueue.class)
			.satisfies((waiters) -> assertThat(((WaitQueue) waiters).isEmpty()).isTrue());
	}

	private static RangeSequence sequence(RangeStore store, long size, Duration timeout) {
		HiLoSettings settings = HiLoSettings.DEFAULTS.withTimeout(timeout)
			.withPrefetch(false)
			.withSequences(1, size, size);
		return new RangeSequence("orders", store, settings, TimeSource.SYSTEM,
				new AtomicReference<>(EngineMode.RUNNING), (again) -> {
					throw new IllegalStateException("It was not forgotten");
				});
	}

	/**
	 * A store that forgets to answer anything at all.
	 */
	private static final class BreakingStore implements RangeStore {

		private final RangeStore store;

		private boolean broken;

		BreakingStore(RangeStore store) {
			this.store = store;
		}

		@Override
		public String database() {
			return this.store.database();
		}

		@Override
		public String document(String sequence) {
			return this.store.document(sequence);
		}

		@Override
		@SuppressWarnings("NullAway") // on purpose
		public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request) {
			return this.broken ? null : this.store.reserve(sequence, request);
		}

		@Override
		public CompletionStage<ReturnOutcome> returnUnused(String sequence, RangeReturn unused) {
			return this.store.returnUnused(sequence, unused);
		}

		@Override
		public CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
			return this.store.raise(sequence, floor, timeout);
		}

		@Override
		public StoredIds storedIds() {
			return this.store.storedIds();
		}

		@Override
		public CompletionStage<@Nullable Long> counter(String sequence, Duration timeout) {
			return this.store.counter(sequence, timeout);
		}

	}

}
