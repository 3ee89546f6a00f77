package io.github.hilo.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * What becomes of a sequence that is forgotten, and of those that still have it.
 */
class ForgottenSequenceTests {

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private @Nullable Runnable meanwhile;

	private final List<String> heard = new CopyOnWriteArrayList<>();

	private final HiLoEngine engine = new HiLoEngine(this.store, Class::getSimpleName,
			HiLoSettings.DEFAULTS.withTimeout(Duration.ofSeconds(20)).withPrefetch(false).withSequences(1, 4, 4),
			TimeSource.SYSTEM, this::created);

	private final HiLoIdGenerator generator = this.engine.generator();

	private SequenceListener created(String database, String sequence, SequenceView view) {
		this.heard.add("created " + sequence);
		return new SequenceListener() {

			@Override
			public Consumer<@Nullable Throwable> reserving() {
				return (failure) -> {
				};
			}

			@Override
			public void waited(Duration time) {
			}

			@Override
			public void forgotten() {
				ForgottenSequenceTests.this.heard.add("forgotten " + sequence);
				if (ForgottenSequenceTests.this.meanwhile != null) {
					ForgottenSequenceTests.this.meanwhile.run();
					ForgottenSequenceTests.this.heard.add("forgotten " + sequence + " ended");
				}
			}

		};
	}

	private void fail() {
		this.store.throwOnce(new OutOfMemoryError("on purpose"));
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> this.generator.nextId("Order"));
	}

	@Test
	void hopelessSequenceIsNoLongerPartOfTheHealth() {
		fail();
		this.store.throwOnce(new OutOfMemoryError("on purpose"));
		assertThat(this.engine.checkHealth().toString()).contains("Order");
		this.engine.forget("audit", "Order");
		this.engine.forget(null, "Orders");
		assertThat(this.engine.snapshot().toString()).contains("Order");
		this.engine.forget("shop", "Order");
		assertThat(this.engine.snapshot().toString()).doesNotContain("Order");
		assertThat(this.engine.checkHealth().toString()).doesNotContain("Order");
		this.engine.forget("shop", "Order");
		assertThat(this.heard).containsExactly("created Order", "forgotten Order");
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("ways")
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void everyWayToASequenceGoesOnWithItsSuccessor(String what, Function<ForgottenSequenceTests, Callable<Long>> way)
			throws Exception {
		Callable<Long> call = way.apply(this);
		fail();
		this.engine.forget(null, "Order");
		this.store.throwOnce(new OutOfMemoryError("on purpose"));
		assertThat(catchThrowable(call::call)).isInstanceOf(Exception.class);
		this.engine.forget(null, "Order");
		assertThat(call.call()).isEqualTo(1);
		assertThat(call.call()).isEqualTo(2);
		assertThat(this.heard).containsExactly("created Order", "forgotten Order", "created Order", "forgotten Order",
				"created Order");
		this.engine.forget(null, "Order");
		this.engine.pause();
		assertThat(this.store.max()).as("nothing is held that a pause does not see").isEqualTo(2);
		this.engine.resume();
		assertThat(call.call()).isEqualTo(3);
		this.engine.close();
		assertThat(this.store.max()).isEqualTo(3);
		assertThat(catchThrowable(call::call)).satisfiesAnyOf(
				(failure) -> assertThat(failure).isInstanceOf(IllegalStateException.class),
				(failure) -> assertThat(failure).hasCauseInstanceOf(IllegalStateException.class));
		assertThat(this.heard).hasSize(5);
	}

	static Stream<Arguments> ways() {
		return Stream.of(way("a handle", (test) -> test.generator.sequence("Order")::nextId),
				way("a handle of a type", (test) -> test.generator.sequence(Order.class)::nextId),
				way("a handle of a view", (test) -> test.generator.forDatabase("shop").sequence("Order")::nextId),
				way("document ids", (test) -> {
					HiLoSequence handle = test.generator.sequence("Order");
					return () -> Long.valueOf(handle.nextDocumentId().replaceAll("\\D", ""));
				}), way("blocks", (test) -> {
					HiLoSequence handle = test.generator.sequence("Order");
					return () -> handle.nextIds(1)[0];
				}), way("a name", (test) -> () -> test.generator.nextId("Order")),
				way("a type", (test) -> () -> test.generator.nextId(Order.class)), way("a view", (test) -> {
					HiLoIdGenerator view = test.generator.forDatabase("shop");
					return () -> view.nextId("Order");
				}), way("a reactive caller", (test) -> {
					AsyncSequence sequence = test.engine.async(test.store, "Order");
					return () -> sequence.nextId().get();
				}), way("a reactive caller of blocks", (test) -> {
					AsyncSequence sequence = test.engine.async(test.store, "Order");
					return () -> sequence.nextIds(1).get()[0];
				}));
	}

	private static Arguments way(String what, Function<ForgottenSequenceTests, Callable<Long>> way) {
		return Arguments.of(what, way);
	}

	@Test
	void raiseAndWarmUpGoOnWithTheSuccessor() {
		RangeSequence handle = (RangeSequence) this.generator.sequence("Order");
		this.engine.forget(null, "Order");
		assertThat(handle.raise(this.store, 50).toCompletableFuture()).isCompletedWithValue(50L);
		assertThat(this.generator.nextId("Order")).isEqualTo(51);
		handle = (RangeSequence) this.generator.sequence("invoices");
		this.engine.forget(null, "invoices");
		assertThat(handle.warmUp(this.store).toCompletableFuture()).isCompleted();
		assertThat(this.generator.sequence("invoices")).isNotSameAs(handle);
		this.engine.close();
		assertThat(this.store.returns()).hasSize(2);
	}

	@Test
	void whatTheEngineAsksOfAForgottenSequenceEndsAtOnce() {
		RangeSequence forgotten = (RangeSequence) this.generator.sequence("Order");
		this.engine.forget(null, "Order");
		assertThat(forgotten.release(Integer.MAX_VALUE)).isCompleted();
		assertThat(forgotten.forget()).isFalse();
		forgotten.proceed();
		assertThat(forgotten.checkHealth().outage()).isNull();
		assertThat(this.store.requests()).isEmpty();
	}

	@Test
	void sequenceThatIsUsedWhileTheOldOneIsForgottenIsHeardOfAfterwards() {
		fail();
		this.meanwhile = () -> assertThat(this.generator.nextId("Order")).isEqualTo(1);
		this.engine.forget(null, "Order");
		assertThat(this.heard).containsExactly("created Order", "forgotten Order", "forgotten Order ended",
				"created Order");
		assertThat(this.engine.snapshot().toString()).contains("Order");
		assertThat(this.generator.nextId("Order")).isEqualTo(2);
	}

	@Test
	void oneThatWaitsKeepsItsSequence() {
		this.store.hold();
		Callers<Long> caller = Callers.start(1, () -> this.generator.nextId("Order")).awaitWaiting();
		this.engine.forget(null, "Order");
		assertThat(this.engine.snapshot().toString()).contains("Order");
		this.store.answerAll();
		assertThat(caller.answers()).containsExactly(1L);
		assertThat(this.heard).containsExactly("created Order");
	}

	private record Order() {
	}

}
