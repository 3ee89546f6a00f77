package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.internal.log.ReservationLog;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Tests for what a listener can do to callers: nothing.
 */
class EngineListenerTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final ManualTime time = new ManualTime();

	private final List<SequenceEvent> heard = new CopyOnWriteArrayList<>();

	@Test
	void listenerMayUseTheSequenceThatItHearsOf() {
		AtomicReference<@Nullable HiLoEngine> generator = new AtomicReference<>();
		List<Long> taken = new CopyOnWriteArrayList<>();
		generator.set(engine((event) -> {
			HiLoEngine created = generator.get();
			if (created != null && taken.isEmpty() && event instanceof SequenceEvent.Waited) {
				taken.add(0L);
				taken.add(created.generator().nextId(event.sequence().name()));
			}
		}));
		HiLoEngine created = generator.get();
		assertThat(created).isNotNull();
		assertThat(created.generator().nextId("orders")).isEqualTo(1);
		assertThat(taken).containsExactly(0L, 2L);
	}

	@ParameterizedTest
	@ValueSource(classes = { SequenceEvent.ReservationStarted.class, SequenceEvent.ReservationEnded.class,
			SequenceEvent.Waited.class, SequenceEvent.ReturnEnded.class, SequenceEvent.RaiseEnded.class })
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void errorOfAListenerThatCannotEvenBeLoggedStrandsNobody(Class<? extends SequenceEvent> occasion) {
		Logger logger = (Logger) LoggerFactory.getLogger(ReservationLog.NAME);
		Appender<ILoggingEvent> broken = mock();
		doThrow(new StackOverflowError("on purpose")).when(broken).doAppend(any());
		logger.addAppender(broken);
		try {
			assertErrorStrandsNobody(occasion);
			verify(broken, atLeastOnce()).doAppend(any());
		}
		finally {
			logger.detachAppender(broken);
		}
	}

	private void assertErrorStrandsNobody(Class<? extends SequenceEvent> occasion) {
		HiLoEngine engine = engine((event) -> {
			this.heard.add(event);
			if (occasion.isInstance(event)) {
				throw new StackOverflowError("on purpose");
			}
		});
		HiLoIdGenerator generator = engine.generator();
		this.store.throwOnce(new OutOfMemoryError("on purpose"));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> generator.nextId("orders"))
			.withRootCauseInstanceOf(OutOfMemoryError.class);
		assertThat(generator.ensureAtLeast("others", 7)).isEqualTo(7);
		assertThat(this.heard).as("the listener is told all the same")
			.last()
			.isInstanceOf(SequenceEvent.RaiseEnded.class);
		this.store.max(0);
		this.store.hold();
		Callers<Long> callers = Callers.start(2, () -> generator.nextId("orders")).awaitWaiting();
		this.store.answerAll();
		assertThat(callers.answers()).containsExactlyInAnyOrder(1L, 2L);
		engine.close();
		assertThat(this.store.max()).isEqualTo(2);
	}

	/**
	 * A return has ended, and the next reservation is due, when the thread stands still.
	 */
	@Test
	void reservationWhoseThreadStoodStillTooLongIsNotSent() {
		HiLoEngine engine = EngineSettings.DEFAULTS.engine(this.store, this.time, (event) -> {
			this.heard.add(event);
			if (event instanceof SequenceEvent.ReturnEnded) {
				this.time.advance(EngineSettings.DEFAULTS.settings().timeout());
			}
		});
		RangeSequence sequence = engine.sequence(this.store, "orders");
		assertThat(sequence.placed(null).nextId()).isEqualTo(1);
		this.store.hold();
		CompletableFuture<?> released = sequence.release();
		CompletableFuture<?> late = sequence.ensureRange(this.store).findFirst().orElseThrow();
		this.store.answer();
		assertThat(released).isCompleted();
		assertThat(late).as("its waiters learn of it at once").isCompletedExceptionally();
		assertThat(this.store.requests()).as("the first range alone").hasSize(1);
		assertThat(operations(SequenceEvent.ReservationEnded.class))
			.containsAll(operations(SequenceEvent.ReservationStarted.class));
		this.store.answerAll();
		assertThat(sequence.placed(null).nextId()).as("the next one is sent").isEqualTo(2);
	}

	private List<Object> operations(Class<? extends SequenceEvent> type) {
		return this.heard.stream()
			.filter(type::isInstance)
			.<Object>map((event) -> (event instanceof SequenceEvent.ReservationStarted started) ? started.operation()
					: ((SequenceEvent.ReservationEnded) event).operation())
			.toList();
	}

	private HiLoEngine engine(Consumer<SequenceEvent> listener) {
		return EngineSettings.DEFAULTS.withTimeout(Duration.ofSeconds(20))
			.withPrefetch(false)
			.engine(this.store, TimeSource.SYSTEM, new ReservationLog(TimeSource.SYSTEM, () -> listener));
	}

}
