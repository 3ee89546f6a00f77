package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.Objects;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.internal.store.TimeSource;
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
		RangeSequence sequence = sequence(1, Duration.ofMinutes(1));
		this.store.hold();
		Waiter first = sequence.ask(new Waiter(1, null, null));
		Waiter second = sequence.ask(new Waiter(1, null, null));
		this.store.throwOnce(new OutOfMemoryError("unable to create native thread"));
		this.store.answerAll();
		assertThat(first.answer().toCompletableFuture()).isCompleted();
		assertThat(second.answer().toCompletableFuture()).isCompletedExceptionally();
		assertThat(sequence.placed(null).nextId()).isEqualTo(2);
	}

	@Test
	void callersThatLeftAreNotKeptWhileARequestIsUnderWay() {
		this.store.hold();
		RangeSequence sequence = sequence(32, Duration.ofMillis(1));
		for (int i = 0; i < 100; i++) {
			assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(sequence.placed(null)::nextId);
		}
		Object state = Objects.requireNonNull(ReflectionTestUtils.getField(sequence, "state"));
		assertThat(ReflectionTestUtils.getField(state, "waiters")).isInstanceOf(WaitQueue.class)
			.satisfies((waiters) -> assertThat(((WaitQueue) waiters).size()).isZero());
	}

	private RangeSequence sequence(long size, Duration timeout) {
		return EngineSettings.DEFAULTS.withTimeout(timeout)
			.withSequences(1, size, size)
			.engine(this.store, TimeSource.SYSTEM)
			.sequence(this.store, "orders");
	}

}
