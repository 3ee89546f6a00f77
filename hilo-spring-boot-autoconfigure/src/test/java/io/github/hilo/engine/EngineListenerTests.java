package io.github.hilo.engine;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.invocation.Invocation;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.verify;

/**
 * Tests for what a listener can do to callers: nothing.
 */
class EngineListenerTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	@ParameterizedTest
	@EnumSource
	void errorOfAListenerStrandsNobody(Occasion occasion) {
		BrokenListener broken = new BrokenListener(occasion);
		List<String> heard = new CopyOnWriteArrayList<>();
		HiLoEngine engine = engine(EngineListener.of(List.of(broken, new RememberingListener(heard))));
		HiLoIdGenerator generator = engine.generator();
		this.store.throwOnce(new OutOfMemoryError("on purpose"));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> generator.nextId("orders"));
		assertThat(generator.ensureAtLeast("others", 7)).isEqualTo(7);
		assertThat(heard).as("another listener hears all the same").last().isEqualTo("raised to 7");
		this.store.max(0);
		this.store.hold();
		Callers<Long> callers = Callers.start(2, () -> generator.nextId("orders")).awaitWaiting();
		this.store.answerAll();
		assertThat(callers.answers()).containsExactlyInAnyOrder(1L, 2L);
		engine.close();
		assertThat(this.store.max()).isEqualTo(2);
	}

	@Test
	void listenerMayUseTheSequenceThatItHearsOf() {
		AtomicReference<@Nullable HiLoEngine> generator = new AtomicReference<>();
		List<Long> taken = new CopyOnWriteArrayList<>();
		generator.set(engine((database, sequence, view) -> {
			HiLoEngine created = generator.get();
			if (created != null) {
				taken.add(created.generator().nextId(sequence));
			}
			return SequenceListener.NONE;
		}));
		HiLoEngine created = generator.get();
		assertThat(created).isNotNull();
		assertThat(created.generator().nextId("orders")).isEqualTo(2);
		assertThat(taken).containsExactly(1L);
	}

	@ParameterizedTest
	@EnumSource
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void errorThatCannotBeLoggedStrandsNobody(Occasion occasion) {
		Logger logger = (Logger) LoggerFactory.getLogger(FaultTolerantListener.class);
		Appender<ILoggingEvent> broken = mock();
		doThrow(new StackOverflowError("on purpose")).when(broken).doAppend(any());
		logger.addAppender(broken);
		try {
			errorOfAListenerStrandsNobody(occasion);
			verify(broken, atLeastOnce()).doAppend(any());
		}
		finally {
			logger.detachAppender(broken);
		}
	}

	/**
	 * A thread that finds the sequence while another one creates it goes on at once, and
	 * what it does is neither lost nor heard in another order. Only the observation of
	 * its reservation would come too late.
	 */
	@Test
	void eventsAreKeptUntilTheListenerIsKnown() {
		CountDownLatch known = new CountDownLatch(1);
		List<String> heard = new CopyOnWriteArrayList<>();
		HiLoEngine engine = engine((database, sequence, view) -> {
			await(known);
			return new RememberingListener(heard);
		});
		HiLoIdGenerator generator = engine.generator();
		Callers<Long> creator = Callers.start(1, () -> generator.nextId("orders")).awaitWaiting();
		this.store.hold();
		Callers<Long> failing = Callers.start(1, () -> generator.nextId("orders")).awaitWaiting();
		this.store.fail(new IllegalStateException("away"));
		failing.failures();
		this.store.answerAll();
		engine.forget("shop", "orders");
		assertThat(generator.nextId("orders")).isEqualTo(33);
		assertThat(generator.ensureAtLeast("orders", 100)).isEqualTo(100);
		assertThat(heard).isEmpty();
		known.countDown();
		assertThat(creator.answers()).containsExactly(101L);
		assertThat(heard).containsExactly("failed", "waited", "reserved 33", "waited", "raised to 100", "reserving",
				"ended", "reserved 101", "waited");
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void everyListenerOfAGroupHearsOfEverything() throws ReflectiveOperationException {
		List<SequenceListener> listeners = List.of(mock(), mock());
		SequenceListener group = EngineListener
			.of(listeners.stream().<EngineListener>map((listener) -> (database, sequence, view) -> listener).toList())
			.created("shop", "orders", mock());
		for (Method event : SequenceListener.class.getMethods()) {
			Object[] arguments = new Object[event.getParameterCount()];
			for (int i = 0; i < arguments.length; i++) {
				arguments[i] = (event.getParameterTypes()[i] == boolean.class) ? true
						: (event.getParameterTypes()[i] == long.class) ? 7L : null;
			}
			event.invoke(group, arguments);
			assertThat(listeners).as(event.getName())
				.allSatisfy((listener) -> assertThat(mockingDetails(listener).getInvocations())
					.extracting(Invocation::getMethod)
					.contains(event));
		}
	}

	private HiLoEngine engine(EngineListener listener) {
		HiLoSettings settings = HiLoSettings.DEFAULTS.withTimeout(Duration.ofSeconds(20))
			.withPrefetch(false)
			.withSequences(1, 32, 32);
		return new HiLoEngine(this.store, Class::getSimpleName, settings, TimeSource.SYSTEM, listener);
	}

	/**
	 * What a listener hears of.
	 */
	private enum Occasion {

		CREATED, RESERVING, RESERVED, WAITED, RESERVATION_REPORTED, FAILURE_REPORTED, RETURN_REPORTED, RAISE_REPORTED,
		CLOSED

	}

	private record RememberingListener(List<String> heard) implements EngineListener, SequenceListener {

		@Override
		public SequenceListener created(String database, String sequence, SequenceView view) {
			return this;
		}

		@Override
		public Consumer<@Nullable Throwable> reserving() {
			this.heard.add("reserving");
			return (failure) -> this.heard.add("ended");
		}

		@Override
		public void waited(Duration time) {
			this.heard.add("waited");
		}

		@Override
		public void reserved(ReservedRange range, Duration time) {
			this.heard.add("reserved " + range.min());
		}

		@Override
		public void reservationFailed(RuntimeException failure, Duration time) {
			this.heard.add("failed");
		}

		@Override
		public void forgotten() {
			this.heard.add("forgotten");
		}

		@Override
		public void raised(long floor, @Nullable Long max, Duration time) {
			this.heard.add("raised to " + max);
		}

	}

	private record BrokenListener(Occasion occasion) implements EngineListener, SequenceListener {

		@Override
		public SequenceListener created(String database, String sequence, SequenceView view) {
			hear(Occasion.CREATED);
			return this;
		}

		@Override
		public Consumer<@Nullable Throwable> reserving() {
			hear(Occasion.RESERVING);
			return (failure) -> hear(Occasion.RESERVED);
		}

		@Override
		public void waited(Duration time) {
			hear(Occasion.WAITED);
		}

		@Override
		public void reservationFailed(RuntimeException failure, Duration time) {
			hear(Occasion.FAILURE_REPORTED);
		}

		@Override
		public void reserved(ReservedRange range, Duration time) {
			hear(Occasion.RESERVATION_REPORTED);
		}

		@Override
		public void returned(RangeReturn unused, ReturnOutcome outcome, Duration time) {
			hear(Occasion.RETURN_REPORTED);
		}

		@Override
		public void raised(long floor, @Nullable Long max, Duration time) {
			hear(Occasion.RAISE_REPORTED);
		}

		@Override
		public void closed() {
			hear(Occasion.CLOSED);
		}

		private void hear(Occasion heard) {
			if (heard == this.occasion) {
				throw new StackOverflowError("on purpose");
			}
		}

	}

}
