package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import static io.github.hilo.internal.counter.MongoRangeStoreTests.UNHEARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link MongoRangeStore} over the reactive driver, and for
 * {@link ReactiveMongoRangeStores}.
 */
@Exhaustive
class ReactiveMongoRangeStoreTests extends MongoRangeStoreTests {

	private final RangeRequest request = firstRequest(Duration.ofSeconds(30));

	private @Nullable MongoClient client;

	@Override
	RangeStores newStores(TestDatabase database) {
		MongoClient created = MongoClients.create(MongoClientSettings.builder()
			.applyConnectionString(new ConnectionString(MongoTestServer.uri()))
			.addCommandListener(database.commands())
			.build());
		this.client = created;
		return Stores.reactive(Mono.fromSupplier(() -> created.getDatabase(database.name())), true, this::database,
				TestDatabase.storeSettings(), TimeSource.SYSTEM);
	}

	@AfterEach
	void closeClient() {
		if (this.client != null) {
			this.client.close();
		}
	}

	@Test
	void answersReachNobodyOnAThreadOfTheDriver() {
		String name = MongoTestServer.newDatabaseName();
		ReactiveMongoRangeStores stores = stores(Mono.never(), this::database);
		CountDownLatch attached = new CountDownLatch(1);
		stores.tasks().execute(() -> assertThatNoException().isThrownBy(attached::await));
		CompletableFuture<String> thread = stores.named(name, soon())
			.reserve("orders", this.request, UNHEARD)
			.thenApply((range) -> Thread.currentThread().getName())
			.toCompletableFuture();
		attached.countDown();
		assertThat(thread.join()).startsWith("hilo-tasks-");
		stores.close();
		MongoTestServer.client().getDatabase(name).drop();
	}

	/**
	 * The factory is asked again for each command.
	 */
	@ParameterizedTest
	@MethodSource
	void databaseThatIsNotResolvedInTimeIsAFailure(Mono<MongoDatabase> later, Duration timeout, List<String> why) {
		AtomicReference<Mono<MongoDatabase>> named = new AtomicReference<>(Mono.just(shop()));
		RangeStores stores = Stores.reactive(Mono.never(), true, (name) -> named.get(), settings(), TimeSource.SYSTEM);
		RangeStore store = stores.named("shop", soon());
		named.set(later);
		CompletableFuture<ReservedRange> range = store.reserve("orders", firstRequest(timeout), UNHEARD)
			.toCompletableFuture();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(range::join)
			.havingCause()
			.isInstanceOf(HiLoUnavailableException.class)
			.withMessageContainingAll("'orders'", "'shop'")
			.withMessageContainingAll(why.toArray(String[]::new));
		stores.close();
	}

	static Stream<Arguments> databaseThatIsNotResolvedInTimeIsAFailure() {
		Duration second = Duration.ofSeconds(1);
		return Stream.of(arguments(Mono.empty(), second, List.of("could not be resolved")),
				arguments(Mono.never(), Duration.ofMillis(20),
						List.of("The command was not sent in time: the database was not resolved")),
				arguments(Mono.error(new IllegalArgumentException("no such tenant")), second,
						List.of("no such tenant")),
				arguments(Mono.just(shop()), Duration.ZERO,
						List.of("The command was not sent in time: no time was left")));
	}

	private static MongoDatabase shop() {
		MongoDatabase shop = mock(MongoDatabase.class);
		given(shop.getName()).willReturn("shop");
		return shop;
	}

	@Test
	void blockingCallersDoNotWaitForADatabaseForEver() {
		RangeStores stores = stores(Mono.never(), (name) -> Mono.never());
		Deadline soon = new Deadline(Duration.ofMillis(20), TimeSource.SYSTEM);
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> stores.current(soon))
			.withMessageStartingWith("The database was not resolved within");
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(() -> stores.named("shop", soon))
			.withMessageStartingWith("The database was not resolved within");
	}

	@Test
	void blockingCallersAreToldThatThereIsNoDefaultDatabase() {
		assertThatIllegalStateException().isThrownBy(() -> stores(Mono.empty(), (name) -> Mono.never()).current(soon()))
			.withMessageContaining("no default database");
	}

	private Mono<MongoDatabase> database(String name) {
		return Mono.just(Objects.requireNonNull(this.client).getDatabase(name));
	}

	private static ReactiveMongoRangeStores stores(Mono<MongoDatabase> current,
			Function<String, Mono<MongoDatabase>> named) {
		return Stores.reactive(current, false, named, settings(), TimeSource.SYSTEM);
	}

	private static CounterSettings settings() {
		return TestDatabase.storeSettings(false, Duration.ofSeconds(1));
	}

}
