package io.github.hilo.internal.counter;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tenants that come with a client of their own, and go.
 */
class ClientsThatGoTests {

	private static final int TENANTS = 20;

	private final AtomicReference<@Nullable MongoClient> current = new AtomicReference<>();

	private final ManualTime time = new ManualTime();

	private final LaterTasks tasks = new LaterTasks();

	private final String databases = "hilo-test-" + new ObjectId() + "-";

	private int tenant;

	private final MongoRangeStores stores = new MongoRangeStores(
			new FakeFactory<>(this::database, (name) -> client().getDatabase(name), false,
					() -> client().getClusterDescription().getClusterSettings()),
			new CounterDatabases(TestDatabase.storeSettings(false, Duration.ofSeconds(10)), this.time, () -> null));

	private final HiLoEngine engine = EngineSettings.DEFAULTS.engine(new WithLaterTasks(), this.time);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void noClientIsReachableElevenMinutesLater(boolean closed) {
		List<WeakReference<MongoClient>> clients = new ArrayList<>();
		List<MongoClient> open = new ArrayList<>();
		for (this.tenant = 0; this.tenant < TENANTS; this.tenant++) {
			MongoClient client = MongoClients.create(MongoTestServer.uri());
			clients.add(new WeakReference<>(client));
			this.current.set(client);
			RangeStore store = this.stores.current(this.engine.deadline());
			assertThat(this.engine.sequence(store, "orders").placed(null).nextId(null, store)).isEqualTo(1);
			if (closed) {
				client.close();
			}
			else {
				open.add(client);
			}
		}
		this.current.set(null);
		for (int second = 0; second < 11 * 60; second += 10) {
			this.time.advance(Duration.ofSeconds(10));
			this.tasks.runDue();
		}
		Awaitility.await().until(() -> this.engine.snapshot().isEmpty());
		open.forEach(MongoClient::close);
		open.clear();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(clients).allMatch((client) -> client.get() == null);
		});
	}

	private MongoClient client() {
		return Objects.requireNonNull(this.current.get());
	}

	private MongoDatabase database() {
		return client().getDatabase(this.databases + this.tenant);
	}

	/**
	 * The stores, with a timer that the test moves.
	 */
	private final class WithLaterTasks implements RangeStores {

		@Override
		public RangeStore current(Deadline deadline) {
			return ClientsThatGoTests.this.stores.current(deadline);
		}

		@Override
		public boolean isCurrentFixed() {
			return false;
		}

		@Override
		public RangeStore named(String database, Deadline deadline) {
			return ClientsThatGoTests.this.stores.named(database, deadline);
		}

		@Override
		public void letGo(String database) {
			ClientsThatGoTests.this.stores.letGo(database);
		}

		@Override
		public Tasks tasks() {
			return ClientsThatGoTests.this.tasks;
		}

		@Override
		public void close() {
			ClientsThatGoTests.this.stores.close();
		}

	}

}
