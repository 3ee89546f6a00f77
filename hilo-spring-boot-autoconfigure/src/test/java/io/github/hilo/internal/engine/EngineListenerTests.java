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
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.log.ReservationLog;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

	private void assertErrorStrandsNobody(Occasion occasion) {
		List<String> heard = new CopyOnWriteArrayList<>();
		HiLoEngine engine = engine(new BrokenListener(occasion, heard));
		HiLoIdGenerator generator = engine.generator();
		this.store.throwOnce(new OutOfMemoryError("on purpose"));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> generator.nextId("orders"));
		assertThat(generator.ensureAtLeast("others", 7)).isEqualTo(7);
		assertThat(heard).as("the listener is told all the same").last().isEqualTo("raised to 7");
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
	@EnumSource
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void errorOfAListenerThatCannotEvenBeLoggedStrandsNobody(Occasion occasion) {
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

	@Test
	void eachReservationHasOneStartAndOneEnd() {
		List<SequenceEvent> heard = new CopyOnWriteArrayList<>();
		ManualTime time = new ManualTime();
		HiLoEngine engine = new HiLoEngine(this.store, Class::getSimpleName,
				EngineSettings.DEFAULTS.withPrefetch(false).withTimeout(Duration.ofMillis(100)).settings(), time,
				heard::add);
		RangeStore store = engine.currentStore(engine.deadline());
		this.store.hold();
		RangeSequence sequence = engine.sequence(store, "orders");
		CompletableFuture<?> late = sequence.ensureRange();
		time.advance(Duration.ofSeconds(11));
		sequence.checkHealth();
		assertThat(late).isCompletedExceptionally();
		this.store.answer();
		CompletableFuture<?> discarded = sequence.ensureRange();
		engine.resume();
		engine.pause();
		engine.resume();
		this.store.answerAll();
		assertThat(discarded).isCompleted();
		List<Object> started = operations(heard, SequenceEvent.ReservationStarted.class);
		assertThat(started).hasSizeGreaterThan(2).doesNotHaveDuplicates();
		assertThat(operations(heard, SequenceEvent.ReservationEnded.class)).containsExactlyElementsOf(started);
	}

	/**
	 * A return has ended, and the next reservation is due, when the thread stands still.
	 */
	@Test
	void reservationWhoseThreadStoodStillTooLongIsNotSent() {
		List<SequenceEvent> heard = new CopyOnWriteArrayList<>();
		ManualTime time = new ManualTime();
		HiLoEngine engine = new HiLoEngine(this.store, Class::getSimpleName, HiLoSettings.DEFAULTS, time, (event) -> {
			heard.add(event);
			if (event instanceof SequenceEvent.ReturnEnded) {
				time.advance(HiLoSettings.DEFAULTS.timeout());
			}
		});
		RangeSequence sequence = engine.sequence(this.store, "orders");
		assertThat(sequence.nextId()).isEqualTo(1);
		this.store.hold();
		CompletableFuture<?> released = sequence.release();
		CompletableFuture<?> late = sequence.ensureRange();
		this.store.answer();
		assertThat(released).isCompleted();
		assertThat(late).as("its waiters learn of it at once").isCompletedExceptionally();
		assertThat(this.store.requests()).as("the first range alone").hasSize(1);
		assertThat(operations(heard, SequenceEvent.ReservationEnded.class))
			.containsAll(operations(heard, SequenceEvent.ReservationStarted.class));
		this.store.answerAll();
		assertThat(sequence.nextId()).as("the next one is sent").isEqualTo(2);
	}

	@Test
	void numberThatIsTakenWhereItGoesTellsOfARepairOnceTheCounterIsRaised() {
		List<SequenceEvent> heard = new CopyOnWriteArrayList<>();
		HiLoEngine engine = new HiLoEngine(this.store, Class::getSimpleName, HiLoSettings.DEFAULTS, new ManualTime(),
				heard::add);
		RangeSequence sequence = engine.sequence(this.store, "orders");
		sequence.nextId();
		this.store.stored(7, 70);
		Place place = new Place("archive", Place.ID, false, true);
		assertThat(sequence.placed(place).nextId()).isEqualTo(71);
		assertThat(heard).contains(new SequenceEvent.CounterRepaired(sequence, CounterRepair.STORED));
	}

	private static List<Object> operations(List<SequenceEvent> heard, Class<? extends SequenceEvent> type) {
		return heard.stream()
			.filter(type::isInstance)
			.<Object>map((event) -> (event instanceof SequenceEvent.ReservationStarted started) ? started.operation()
					: ((SequenceEvent.ReservationEnded) event).operation())
			.toList();
	}

	private HiLoEngine engine(Consumer<SequenceEvent> listener) {
		HiLoSettings settings = EngineSettings.DEFAULTS.withTimeout(Duration.ofSeconds(20))
			.withPrefetch(false)
			.withSequences(1, 32, 32)
			.settings();
		return new HiLoEngine(this.store, Class::getSimpleName, settings, TimeSource.SYSTEM,
				new ReservationLog(TimeSource.SYSTEM, () -> listener));
	}

	/**
	 * What a listener hears of.
	 */
	private enum Occasion {

		STARTED(SequenceEvent.ReservationStarted.class), ENDED(SequenceEvent.ReservationEnded.class),
		WAITED(SequenceEvent.Waited.class), RETURNED(SequenceEvent.ReturnEnded.class),
		RAISED(SequenceEvent.RaiseEnded.class);

		private final Class<? extends SequenceEvent> type;

		Occasion(Class<? extends SequenceEvent> type) {
			this.type = type;
		}

	}

	private record BrokenListener(Occasion occasion, List<String> heard) implements Consumer<SequenceEvent> {

		@Override
		public void accept(SequenceEvent event) {
			this.heard.add((event instanceof SequenceEvent.RaiseEnded ended) ? "raised to " + ended.max()
					: event.getClass().getSimpleName());
			if (this.occasion.type.isInstance(event)) {
				throw new StackOverflowError("on purpose");
			}
		}

	}

}
