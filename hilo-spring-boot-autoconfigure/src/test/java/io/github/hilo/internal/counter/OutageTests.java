package io.github.hilo.internal.counter;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ServerDescription;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TcpProxy;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.store.TimeSource;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * MongoDB gone, and back.
 */
@Thorough
class OutageTests {

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private final TestDatabase database = new TestDatabase();

	private final ConnectionString target = new ConnectionString(MongoTestServer.uri());

	private TcpProxy proxy;

	private MongoClient client;

	private HiLoEngine engine;

	@BeforeEach
	void connectThroughProxy() throws IOException {
		Assumptions.assumeFalse(Boolean.TRUE.equals(this.target.getSslEnabled()),
				"A proxy can't answer for a server whose certificate is checked");
		ServerAddress server = primary();
		this.proxy = new TcpProxy(server.getHost(), server.getPort());
		this.client = MongoClients.create(MongoClientSettings.builder()
			.applyConnectionString(this.target)
			.applyToClusterSettings((cluster) -> cluster.hosts(List.of(new ServerAddress(this.proxy.address())))
				.mode(ClusterConnectionMode.SINGLE))
			.build());
		// So that the first id of a test needs little time on a busy machine.
		try (HiLoEngine patient = engine(Duration.ofSeconds(10))) {
			patient.generator().nextId("warm-up");
		}
		this.engine = engine(TIMEOUT);
	}

	private ServerAddress primary() {
		this.database.client().getDatabase("admin").runCommand(new Document("ping", 1));
		return this.database.client()
			.getClusterDescription()
			.getServerDescriptions()
			.stream()
			.filter(ServerDescription::isPrimary)
			.findFirst()
			.orElseThrow()
			.getAddress();
	}

	private HiLoEngine engine(Duration timeout) {
		MongoRangeStores stores = Stores.blocking(() -> this.client.getDatabase(this.database.name()), true,
				this.client::getDatabase, TestDatabase.storeSettings(true), TimeSource.SYSTEM);
		HiLoSettings settings = EngineSettings.DEFAULTS.withTimeout(timeout)
			.withPrefetch(false)
			.withSequences(1, 32, 32)
			.settings();
		return new HiLoEngine(stores, Class::getSimpleName, settings, TimeSource.SYSTEM);
	}

	@AfterEach
	void disconnect() throws IOException {
		this.engine.close();
		this.client.close();
		this.proxy.close();
		this.database.close();
	}

	@Test
	void releaseDuringAnOutageKeepsWhatIsHeld() {
		this.engine.generator().nextId("orders");
		this.proxy.cut();
		assertThat(this.engine.release(null, "orders")).containsExactly(this.database.name());
		assertThat(this.engine.generator().nextId("orders")).isEqualTo(2);
		this.proxy.mend();
		Awaitility.await().until(() -> this.engine.release(null, "orders").isEmpty());
		assertThat(this.database.max("orders")).isEqualTo(2);
	}

}
