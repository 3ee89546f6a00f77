package io.github.hilo.internal.counter;

import java.io.Closeable;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeFactory;
import io.github.hilo.fixture.LaterTasks;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.Tasks;
import org.awaitility.Awaitility;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tenants that come with a client of their own, and go.
 */
class ClientsThatGoTests {

	private static final int TENANTS = 20;

	private final ManualTime time = new ManualTime();

	private final LaterTasks tasks = new LaterTasks();

	private final String databases = "hilo-test-" + new ObjectId() + "-";

	private int tenant;

	private final CounterDatabases counters = new CounterDatabases(
			TestDatabase.storeSettings(false, Duration.ofSeconds(10)), this.time, () -> null);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void noClientIsReachableElevenMinutesLater(boolean closed) {
		AtomicReference<@Nullable MongoClient> current = new AtomicReference<>();
		assertThatNoneStays(
				new MongoRangeStores(new FakeFactory<>(() -> of(current).getDatabase(nameOfTenant()),
						(name) -> of(current).getDatabase(name), false,
						() -> of(current).getClusterDescription().getClusterSettings()), this.counters),
				current, () -> MongoClients.create(MongoTestServer.uri()), closed);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void noReactiveClientIsReachableElevenMinutesLater(boolean closed) {
		AtomicReference<com.mongodb.reactivestreams.client.@Nullable MongoClient> current = new AtomicReference<>();
		assertThatNoneStays(
				new ReactiveMongoRangeStores(new FakeFactory<>(() -> Mono.just(of(current).getDatabase(nameOfTenant())),
						(name) -> Mono.just(of(current).getDatabase(name)), false,
						() -> of(current).getClusterDescription().getClusterSettings()), this.counters),
				current, () -> com.mongodb.reactivestreams.client.MongoClients.create(MongoTestServer.uri()), closed);
	}

	private <C extends Closeable> void assertThatNoneStays(RangeStores stores, AtomicReference<@Nullable C> current,
			Supplier<C> created, boolean closed) {
		HiLoEngine engine = EngineSettings.DEFAULTS.engine(new WithLaterTasks(stores), this.time);
		List<WeakReference<C>> clients = new ArrayList<>();
		List<C> open = new ArrayList<>();
		for (this.tenant = 0; this.tenant < TENANTS; this.tenant++) {
			C client = created.get();
			clients.add(new WeakReference<>(client));
			current.set(client);
			RangeStore store = stores.current(engine.deadline());
			assertThat(engine.sequence(store, "orders").placed(null).nextId(null, store)).isEqualTo(1);
			if (closed) {
				close(client);
			}
			else {
				open.add(client);
			}
		}
		current.set(null);
		for (int second = 0; second < 11 * 60; second += 10) {
			this.time.advance(Duration.ofSeconds(10));
			this.tasks.runDue();
		}
		Awaitility.await().until(() -> engine.snapshot().isEmpty());
		open.forEach(ClientsThatGoTests::close);
		open.clear();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(clients).allMatch((client) -> client.get() == null);
		});
	}

	private static void close(Closeable client) {
		assertThatNoException().isThrownBy(client::close);
	}

	private static <C> C of(AtomicReference<@Nullable C> current) {
		return Objects.requireNonNull(current.get());
	}

	private String nameOfTenant() {
		return this.databases + this.tenant;
	}

	/**
	 * The stores, with a timer that the test moves.
	 */
	private final class WithLaterTasks implements RangeStores {

		private final RangeStores stores;

		WithLaterTasks(RangeStores stores) {
			this.stores = stores;
		}

		@Override
		public RangeStore current(Deadline deadline) {
			return this.stores.current(deadline);
		}

		@Override
		public boolean isCurrentFixed() {
			return false;
		}

		@Override
		public RangeStore named(String database, Deadline deadline) {
			return this.stores.named(database, deadline);
		}

		@Override
		public void letGo(String database) {
			this.stores.letGo(database);
		}

		@Override
		public Tasks tasks() {
			return ClientsThatGoTests.this.tasks;
		}

		@Override
		public void close() {
			this.stores.close();
		}

	}

}
