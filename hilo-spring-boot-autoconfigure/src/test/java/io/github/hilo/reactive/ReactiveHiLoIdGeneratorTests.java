package io.github.hilo.reactive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link DefaultReactiveHiLoIdGenerator} on counters in memory.
 */
class ReactiveHiLoIdGeneratorTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final FakeRangeStore store = new FakeRangeStore("shop");

	private final HiLoEngine engine = engine(Duration.ofMinutes(1));

	private final HiLoIdGenerator blocking = this.engine.generator();

	private final ReactiveHiLoIdGenerator generator = view(this.engine, Mono.just(this.store), true);

	@Test
	void everyWayToAddressATypeSharesTheCountersOfTheBlockingGenerator() {
		assertThat(this.generator.nextId(Order.class).block(PATIENCE)).isEqualTo(1);
		assertThat(this.generator.nextId("Order").block(PATIENCE)).isEqualTo(2);
		assertThat(this.generator.nextIdFor(new Order()).block(PATIENCE)).isEqualTo(3);
		assertThat(this.generator.nextDocumentId(Order.class).block(PATIENCE)).isEqualTo("Order/4-A");
		assertThat(this.generator.nextDocumentId("Order").block(PATIENCE)).isEqualTo("Order/5-A");
		assertThat(this.generator.nextDocumentIdFor(new Order()).block(PATIENCE)).isEqualTo("Order/6-A");
		assertThat(this.blocking.nextId(Order.class)).isEqualTo(7);
		assertThat(this.generator.forDatabase("shop").nextId(Order.class).block(PATIENCE)).isEqualTo(8);
		assertThat(this.store.requests()).hasSize(1);
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

	@Test
	void subscribersToAColdSequenceShareOneRequest() {
		this.store.hold();
		CountDownLatch queued = new CountDownLatch(32);
		Mono<List<Long>> ids = Flux.range(0, 32)
			.flatMap((i) -> this.generator.nextId("orders")
				.doOnSubscribe((subscription) -> queued.countDown())
				.subscribeOn(Schedulers.boundedElastic()), 32)
			.collectSortedList();
		StepVerifier.create(ids)
			.then(() -> assertThatNoException().isThrownBy(queued::await))
			.then(this.store::answerAll)
			.expectNext(LongStream.rangeClosed(1, 32).boxed().toList())
			.expectComplete()
			.verify(PATIENCE);
		assertThat(this.store.requests()).hasSize(1);
	}

	@Test
	void subscriberThatCancelsTakesNoNumberAndHarmsNobody() {
		this.store.hold();
		AtomicReference<@Nullable Long> cancelled = new AtomicReference<>();
		Disposable first = this.generator.nextId("orders").subscribe(cancelled::set);
		StepVerifier.create(this.generator.nextId("orders"))
			.then(first::dispose)
			.then(this.store::answerAll)
			.expectNext(1L)
			.expectComplete()
			.verify(PATIENCE);
		assertThat(cancelled).hasNullValue();
		assertThat(this.blocking.nextId("orders")).isEqualTo(2);
	}

	@Test
	void timeoutOfTheSubscribersOwnHarmsNobody() {
		this.store.hold();
		StepVerifier.create(this.generator.nextId("orders").timeout(Duration.ofMillis(20)))
			.expectError(TimeoutException.class)
			.verify(PATIENCE);
		this.store.answerAll();
		assertThat(this.generator.nextId("orders").block(PATIENCE)).isEqualTo(1);
	}

	@Test
	void noRangeInTimeIsAnErrorThatNamesSequenceAndDatabase() {
		this.store.hold();
		StepVerifier.create(view(engine(Duration.ofMillis(20)), Mono.just(this.store), true).nextId("orders"))
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(HiLoUnavailableException.class)
				.hasMessageContainingAll("'orders'", "'shop'", "PT0.02S"))
			.verify(PATIENCE);
	}

	@Test
	void numberThatIsHandedOverDuringAResetIsNotUsedAfterIt() {
		CountDownLatch busy = new CountDownLatch(1);
		LongStream.range(0, Schedulers.DEFAULT_POOL_SIZE)
			.forEach((i) -> Schedulers.parallel()
				.schedule(() -> assertThatNoException().isThrownBy(() -> busy.await(30, TimeUnit.SECONDS))));
		this.store.hold();
		CompletableFuture<Long> id = this.generator.nextId("orders").toFuture();
		this.store.answerAll();
		assertThat(id).isNotDone();
		this.engine.pause();
		this.engine.resume();
		busy.countDown();
		assertThat(id).as("this process may be one of two copies that were both about to use 1")
			.succeedsWithin(PATIENCE)
			.isEqualTo(2L);
	}

	@Test
	void closedGeneratorIsAnErrorSignal() {
		Mono<Long> id = this.generator.nextId("orders");
		assertThat(id.block(PATIENCE)).isEqualTo(1);
		this.engine.close();
		StepVerifier.create(id)
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(IllegalStateException.class)
				.hasMessageContainingAll("closed", "'orders'"))
			.verify(PATIENCE);
		assertThat(this.store.max()).isEqualTo(1);
		StepVerifier.create(this.generator.release()).expectComplete().verify(PATIENCE);
	}

	@ParameterizedTest
	@MethodSource
	@SuppressWarnings("NullAway") // Nulls where none are allowed.
	void wrongArgumentIsAnErrorSignalThatSaysWhatToPassInstead(Mono<?> id, String instead) {
		StepVerifier.create(id)
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(IllegalArgumentException.class)
				.hasMessageContaining(instead))
			.verify(PATIENCE);
	}

	@SuppressWarnings("NullAway") // Nulls where none are allowed.
	static Stream<Arguments> wrongArgumentIsAnErrorSignalThatSaysWhatToPassInstead() {
		ReactiveHiLoIdGenerator generator = new ReactiveHiLoIdGeneratorTests().generator;
		return Stream.of(Arguments.of(generator.nextId((Class<?>) null), "Pass the class"),
				Arguments.of(generator.nextDocumentId((String) null), "Pass the exact name"),
				Arguments.of(generator.nextId(" "), "Pass the exact name"),
				Arguments.of(generator.nextIdFor(null), "Pass an instance"),
				Arguments.of(generator.nextDocumentIdFor(null), "Pass an instance"));
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

	@Test
	void idThatWasWaitedForIsNotEmittedByTheThreadThatServesEverybody() {
		this.store.hold();
		StepVerifier.create(this.generator.nextId("orders").map((id) -> Thread.currentThread()))
			.then(this.store::answerAll)
			.assertNext((thread) -> assertThat(thread).isInstanceOf(NonBlocking.class))
			.expectComplete()
			.verify(PATIENCE);
	}

	@Test
	void releaseReturnsOnSubscription() {
		assertThat(this.generator.nextId("orders").block(PATIENCE)).isEqualTo(1);
		Mono<Void> release = this.generator.release();
		assertThat(this.store.max()).isEqualTo(32);
		StepVerifier.create(release).expectComplete().verify(PATIENCE);
		assertThat(this.store.max()).isEqualTo(1);
		assertThat(this.generator.nextId("orders").block(PATIENCE)).isEqualTo(2);
	}

	@Test
	void releaseOfAPinnedViewLeavesTheOtherDatabasesAlone() {
		this.generator.nextId("orders").block(PATIENCE);
		StepVerifier.create(this.generator.forDatabase("other").release()).expectComplete().verify(PATIENCE);
		assertThat(this.store.max()).isEqualTo(32);
		StepVerifier.create(this.generator.forDatabase("other").forDatabase(null).release())
			.expectComplete()
			.verify(PATIENCE);
		assertThat(this.store.max()).isEqualTo(1);
	}

	@Test
	void databaseIsThatOfTheSubscribersContext() {
		Mono<RangeStore> tenant = Mono.deferContextual((context) -> Mono.just(this.engine.storeOf(context.get("t"))));
		Mono<Long> id = view(this.engine, tenant, false).nextId("orders");
		assertThat(id.contextWrite(Context.of("t", "shop")).block(PATIENCE)).isEqualTo(1);
		assertThat(id.contextWrite(Context.of("t", "shop")).block(PATIENCE)).isEqualTo(2);
		assertThat(id.contextWrite(Context.of("t", "other")).block(PATIENCE)).isEqualTo(1);
		assertThat(this.engine.snapshot()).containsOnlyKeys("shop", "other");
	}

	@Test
	void databaseThatCannotChangeIsResolvedOnce() {
		AtomicInteger resolved = new AtomicInteger();
		Mono<RangeStore> counted = Mono.fromSupplier(() -> {
			if (resolved.incrementAndGet() == 1) {
				throw new IllegalStateException("not yet");
			}
			return this.store;
		});
		ReactiveHiLoIdGenerator fixed = view(this.engine, counted, true);
		StepVerifier.create(fixed.nextId("orders")).expectErrorMessage("not yet").verify(PATIENCE);
		assertThat(fixed.nextId("orders").block(PATIENCE)).isEqualTo(1);
		assertThat(fixed.nextId("orders").block(PATIENCE)).isEqualTo(2);
		assertThat(resolved).hasValue(2);
	}

	@Test
	void factoryWithoutADatabaseIsAnError() {
		StepVerifier.create(view(this.engine, Mono.empty(), false).nextId("orders"))
			.expectErrorMessage("The ReactiveMongoDatabaseFactory gave no database")
			.verify(PATIENCE);
	}

	private HiLoEngine engine(Duration timeout) {
		HiLoSettings settings = HiLoSettings.DEFAULTS.withTimeout(timeout).withPrefetch(false).withSequences(1, 32, 32);
		return new HiLoEngine(this.store, Class::getSimpleName, settings, TimeSource.SYSTEM);
	}

	private static ReactiveHiLoIdGenerator view(HiLoEngine engine, Mono<RangeStore> store, boolean fixed) {
		return new DefaultReactiveHiLoIdGenerator(engine, store, fixed);
	}

	/**
	 * An entity.
	 */
	private static final class Order {

	}

}
