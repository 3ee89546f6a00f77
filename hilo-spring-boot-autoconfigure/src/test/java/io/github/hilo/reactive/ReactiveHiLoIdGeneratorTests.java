package io.github.hilo.reactive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.internal.engine.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.engine.ReactiveCalls;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.TimeSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.NonBlocking;
import reactor.test.StepVerifier;
import reactor.test.StepVerifierOptions;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link DefaultReactiveHiLoIdGenerator} on counters in memory.
 */
class ReactiveHiLoIdGeneratorTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final HiLoEngine engine = engine(Duration.ofMinutes(1));

	private final HiLoIdGenerator blocking = this.engine.generator();

	private final ReactiveHiLoIdGenerator generator = view(this.engine, Mono.just(this.store));

	@Test
	void everyWayToAddressATypeSharesTheCountersOfTheBlockingGenerator() {
		assertThat(Stream
			.of(this.generator.nextId(Order.class), this.generator.nextId("Order"),
					this.generator.nextIdFor(new Order()), this.generator.nextDocumentId(Order.class),
					this.generator.nextDocumentId("Order"), this.generator.nextDocumentIdFor(new Order()),
					this.generator.forDatabase("shop").nextId(Order.class))
			.<Object>map((id) -> id.block(PATIENCE)))
			.containsExactly(1L, 2L, 3L, "Order/4-A", "Order/5-A", "Order/6-A", 7L);
		assertThat(this.blocking.nextId(Order.class)).isEqualTo(8);
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void blocksComeFromTheSameRanges() {
		assertThat(this.blocking.nextId(Order.class)).isEqualTo(1);
		assertThat(this.generator.nextIds(Order.class, 2).block(PATIENCE)).containsExactly(2, 3);
		assertThat(this.generator.nextIds("Order", 2).block(PATIENCE)).containsExactly(4, 5);
		assertThat(this.generator.nextDocumentIds(Order.class, 2).block(PATIENCE)).containsExactly("Order/6-A",
				"Order/7-A");
		assertThat(this.generator.nextDocumentIds("Order", 1).block(PATIENCE)).containsExactly("Order/8-A");
		assertThat(this.generator.forDatabase("shop").nextIds("Order", 25).block(PATIENCE)).hasSize(25).endsWith(33);
		assertThat(this.store.requests()).hasSize(2);
	}

	@Test
	void counterIsRaisedOnSubscriptionOnly() {
		Mono<Long> raise = this.generator.ensureAtLeast("Order", 5000);
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(this.store.max()).isZero();
		assertThat(raise.block(PATIENCE)).isEqualTo(5000);
		assertThat(this.generator.ensureAtLeast(Order.class, 4000).block(PATIENCE)).isEqualTo(5000);
		assertThat(this.generator.forDatabase("shop").ensureAtLeast(Order.class, 5010).block(PATIENCE)).isEqualTo(5010);
		assertThat(this.generator.nextId(Order.class).block(PATIENCE)).isEqualTo(5011);
		assertThat(this.blocking.nextId(Order.class)).isEqualTo(5012);
	}

	@Test
	void nothingIsTakenBeforeASubscriptionAndEachTakesANumberOfItsOwn() {
		Mono<Long> id = this.generator.nextId("orders");
		assertThat(this.engine.snapshot()).isEmpty();
		assertThat(this.store.requests()).isEmpty();
		assertThat(List.of(id, id).stream().map((mono) -> mono.block(PATIENCE))).containsExactly(1L, 2L);
		assertThat(id.repeat(2).collectList().block(PATIENCE)).containsExactly(3L, 4L, 5L);
		assertThat(this.blocking.nextId("orders")).isEqualTo(6);
	}

	@ParameterizedTest
	@MethodSource("takes")
	void subscriberThatCancelsTakesNothingAndHarmsNobody(Function<ReactiveHiLoIdGenerator, Mono<?>> call) {
		this.store.hold();
		StepVerifier.create(this.generator.nextId("orders"))
			.then(() -> call.apply(this.generator).subscribe().dispose())
			.then(this.store::answerAll)
			.expectNext(1L)
			.expectComplete()
			.verify(PATIENCE);
		assertThat(this.store.max()).isEqualTo(32);
		assertThat(this.blocking.nextId("orders")).isEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("calls")
	void noAnswerInTimeIsAnErrorThatNamesSequenceAndDatabase(Function<ReactiveHiLoIdGenerator, Mono<?>> call) {
		this.store.hold();
		assertError(call.apply(view(engine(Duration.ofMillis(20)), Mono.just(this.store))),
				HiLoUnavailableException.class, "'orders'", "'shop'", "within hilo.timeout (20ms)");
	}

	@ParameterizedTest
	@MethodSource("calls")
	void everyCallOfAClosedGeneratorIsAnErrorSignal(Function<ReactiveHiLoIdGenerator, Mono<?>> call) {
		this.engine.close();
		assertError(call.apply(this.generator), IllegalStateException.class, "closed", "'orders'");
		assertThat(this.store.max()).isZero();
	}

	/**
	 * Each way to ask for something of sequence orders.
	 */
	static Stream<Function<ReactiveHiLoIdGenerator, Mono<?>>> calls() {
		return Stream.concat(takes(), Stream.of((generator) -> generator.ensureAtLeast("orders", 5000)));
	}

	static Stream<Function<ReactiveHiLoIdGenerator, Mono<?>>> takes() {
		return Stream.of((generator) -> generator.nextId("orders"), (generator) -> generator.nextDocumentId("orders"),
				(generator) -> generator.nextIds("orders", 3), (generator) -> generator.nextDocumentIds("orders", 3));
	}

	@ParameterizedTest
	@MethodSource
	void wrongArgumentIsAnErrorSignalThatSaysWhatToPassInstead(Mono<?> id, String instead) {
		assertError(id, IllegalArgumentException.class, instead);
	}

	@SuppressWarnings("NullAway") // Nulls where none are allowed.
	static Stream<Arguments> wrongArgumentIsAnErrorSignalThatSaysWhatToPassInstead() {
		ReactiveHiLoIdGenerator generator = new ReactiveHiLoIdGeneratorTests().generator;
		return Stream.of(arguments(generator.nextId((Class<?>) null), "Pass the class"),
				arguments(generator.nextId(" "), "Pass the exact name"),
				arguments(generator.nextIdFor(null), "Pass an instance"),
				arguments(generator.nextDocumentIds(" ", 2), "Pass the exact name"),
				arguments(generator.nextIds("orders", 0), "at least 1 and at most 1048576"),
				arguments(generator.nextDocumentIds(Order.class, HiLoSequence.MAX_COUNT + 1), "at most 1048576"),
				arguments(generator.ensureAtLeast((Class<?>) null, 5), "Pass the class"),
				arguments(generator.ensureAtLeast((String) null, 5), "Pass the exact name"),
				arguments(generator.ensureAtLeast("orders", 0), "Pass the highest number in use"),
				arguments(generator.ensureAtLeast(Order.class, HiLoIdGenerator.MAX_NUMBER + 1),
						"Pass the highest number in use"));
	}

	@Test
	void blankDatabaseIsRefusedAtOnce() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.generator.forDatabase(" "))
			.withMessageContaining("Pass a database's name");
	}

	@Test
	void idThatIsThereIsEmittedByTheSubscribersThread() {
		this.blocking.nextId("orders");
		Thread thread = this.generator.nextId("orders").map((id) -> Thread.currentThread()).block(PATIENCE);
		assertThat(thread).isSameAs(Thread.currentThread());
	}

	@ParameterizedTest
	@MethodSource("calls")
	void whatWasWaitedForIsNotEmittedByTheThreadThatServesEverybody(Function<ReactiveHiLoIdGenerator, Mono<?>> call) {
		this.store.hold();
		StepVerifier.create(call.apply(this.generator).map((id) -> Thread.currentThread()))
			.then(this.store::answerAll)
			.assertNext((thread) -> assertThat(thread).isInstanceOf(NonBlocking.class))
			.expectComplete()
			.verify(PATIENCE);
	}

	@Test
	void releaseReturnsTheRangesOfItsViewOnSubscription() {
		this.generator.nextId("orders").block(PATIENCE);
		StepVerifier.create(this.generator.forDatabase("other").release()).expectComplete().verify(PATIENCE);
		Mono<Void> release = this.generator.forDatabase("other").forDatabase(null).release();
		assertThat(this.store.max()).isEqualTo(32);
		StepVerifier.create(release).expectComplete().verify(PATIENCE);
		assertThat(this.store.max()).isEqualTo(1);
	}

	@Test
	void releaseOfEachViewWaitsForTheReturnsAtMostAsLongAsTheTimeout() {
		ReactiveHiLoIdGenerator impatient = view(engine(Duration.ofMillis(20)), Mono.just(this.store));
		impatient.nextId("orders").block(PATIENCE);
		this.store.hold();
		StepVerifier
			.create(this.generator.release().then(impatient.release()).then(impatient.forDatabase("shop").release()))
			.expectComplete()
			.verify(PATIENCE);
		assertThat(this.store.returns()).hasSize(1);
		assertThat(this.store.max()).isEqualTo(32);
	}

	@Test
	void subscribersShareAFailureAndEachHasAStackTraceOfItsOwn() {
		this.store.hold();
		Mono<Throwable> failure = this.generator.nextId("orders").materialize().map(Signal::getThrowable);
		StepVerifier.create(Mono.zip(failure, failure))
			.then(() -> this.store.fail(new IllegalStateException("broken")))
			.assertNext((failures) -> assertThat(failures.getT1()).isInstanceOf(HiLoUnavailableException.class)
				.hasMessageContaining("broken")
				.isNotSameAs(failures.getT2()))
			.expectComplete()
			.verify(PATIENCE);
	}

	@ParameterizedTest
	@MethodSource("calls")
	void everyCallResolvesTheDatabaseWithTheSubscribersContext(Function<ReactiveHiLoIdGenerator, Mono<?>> call) {
		Mono<RangeStore> tenant = Mono.deferContextual((context) -> Mono.just(this.engine.storeOf(context.get("t"))));
		Mono<?> answer = call.apply(view(this.engine, tenant));
		Stream.of("shop", "other")
			.forEach((name) -> StepVerifier
				.create(answer, StepVerifierOptions.create().withInitialContext(Context.of("t", name)))
				.expectNextCount(1)
				.expectComplete()
				.verify(PATIENCE));
		assertThat(this.engine.snapshot()).containsOnlyKeys("shop", "other");
	}

	@Test
	void factoryWithoutADatabaseIsAnError() {
		StepVerifier.create(view(this.engine, Mono.empty()).nextId("orders"))
			.expectErrorMessage("The ReactiveMongoDatabaseFactory gave no database")
			.verify(PATIENCE);
	}

	private static void assertError(Mono<?> mono, Class<?> type, String... message) {
		StepVerifier.create(mono)
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(type).hasMessageContainingAll(message))
			.verify(PATIENCE);
	}

	private HiLoEngine engine(Duration timeout) {
		return EngineSettings.DEFAULTS.withTimeout(timeout)
			.withPrefetch(false)
			.withSequences(1, 32, 32)
			.engine(this.store, TimeSource.SYSTEM);
	}

	private static ReactiveHiLoIdGenerator view(HiLoEngine engine, Mono<RangeStore> store) {
		return new DefaultReactiveHiLoIdGenerator(new ReactiveCalls(engine), store,
				(name) -> Mono.just(engine.storeOf(name)));
	}

	/**
	 * An entity.
	 */
	private static final class Order {

	}

}
