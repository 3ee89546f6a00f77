package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.reactive.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIds;
import io.github.hilo.store.TimeSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Which threads {@link ReactiveHiLoResync} uses, and what is left of one that is
 * cancelled, on stored ids that the test has in hand.
 */
class ReactiveHiLoResyncThreadsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ExecutorService tasks = Executors.newSingleThreadExecutor((task) -> new Thread(task, "tasks"));

	private final HeldStoredIds ids = new HeldStoredIds();

	private final RangeStore store = mock(RangeStore.class);

	private final MongoMappingContext mappings = new MongoMappingContext();

	private final ReactiveHiLoResync resync = resync();

	@AfterEach
	void endTasks() {
		this.tasks.shutdown();
	}

	@Test
	void driverIsNeverUsedOnTheSubscribersThread() {
		StepVerifier.create(this.resync.resync("orders", "orders"))
			.then(() -> this.ids.answer("orders", 41))
			.expectNext(41L)
			.expectComplete()
			.verify(PATIENCE);
		assertThat(this.ids.threads).containsExactly("tasks");
	}

	@Test
	void subscriberThatCancelsBeginsNoRaise() {
		Disposable subscription = this.resync.resync("orders", "orders").subscribe();
		this.ids.awaitReading("orders");
		subscription.dispose();
		this.ids.answer("orders", 41);
		assertThat(CompletableFuture.runAsync(() -> {
		}, this.tasks)).as("whatever it led to has run").succeedsWithin(PATIENCE);
		then(this.store).should(never()).raise(anyString(), anyLong(), any());
	}

	@Test
	void sequencesOfACollectionAreRaisedOneAfterTheOtherUntilOneFails() {
		this.mappings.getRequiredPersistentEntity(Gift.class);
		this.mappings.getRequiredPersistentEntity(Order.class);
		this.mappings.getRequiredPersistentEntity(Refund.class);
		StepVerifier.create(this.resync.resyncCollection("purchases")).then(() -> {
			this.ids.awaitReading("gifts");
			assertThat(this.ids.threads).hasSize(1);
			this.ids.answer("gifts", 3);
			this.ids.awaitReading("orders");
			this.ids.fail("orders");
		}).expectErrorMatches((error) -> error instanceof HiLoUnavailableException).verify(PATIENCE);
		then(this.store).should().raise(eq("gifts"), eq(3L), any());
		assertThat(this.ids.threads).hasSize(2);
	}

	private ReactiveHiLoResync resync() {
		RangeStores stores = mock(RangeStores.class);
		given(stores.executor()).willReturn(this.tasks);
		given(this.store.database()).willReturn("shop");
		given(this.store.document(anyString())).willReturn("Raven/HiLo/orders");
		given(this.store.storedIds()).willReturn(this.ids);
		given(this.store.raise(anyString(), anyLong(), any()))
			.willAnswer((call) -> CompletableFuture.completedFuture(call.getArgument(1)));
		HiLoEngine engine = new HiLoEngine(stores, Class::getSimpleName, HiLoSettings.DEFAULTS, TimeSource.SYSTEM);
		return new ReactiveHiLoResync(engine, new DefaultReactiveHiLoIdGenerator(engine, Mono.just(this.store), true),
				new MappedSequenceNames(this.mappings,
						() -> (type, collection) -> type.getSimpleName().toLowerCase(Locale.ROOT) + "s"));
	}

	@Document("purchases")
	record Gift(@Nullable String id) {
	}

	@Document("purchases")
	record Order(@Nullable String id) {
	}

	@Document("purchases")
	record Refund(@Nullable String id) {
	}

	/**
	 * Answers when the test says so.
	 */
	private static final class HeldStoredIds implements StoredIds {

		private final Map<String, CompletableFuture<HighestStoredId>> answers = new ConcurrentHashMap<>();

		private final List<String> threads = new CopyOnWriteArrayList<>();

		void awaitReading(String sequence) {
			Awaitility.await().until(() -> this.answers.containsKey(sequence));
		}

		void answer(String sequence, long highest) {
			awaitReading(sequence);
			answerOf(sequence).complete(new HighestStoredId(highest, "purchases", null));
		}

		void fail(String sequence) {
			answerOf(sequence).completeExceptionally(new HiLoUnavailableException("cut"));
		}

		private CompletableFuture<HighestStoredId> answerOf(String sequence) {
			return this.answers.computeIfAbsent(sequence, (absent) -> new CompletableFuture<>());
		}

		@Override
		public String database() {
			return "shop";
		}

		@Override
		public CompletionStage<HighestStoredId> highest(String sequence, StoredIdScope scope, Duration stepTimeout) {
			this.threads.add(Thread.currentThread().getName());
			return answerOf(sequence);
		}

	}

}
