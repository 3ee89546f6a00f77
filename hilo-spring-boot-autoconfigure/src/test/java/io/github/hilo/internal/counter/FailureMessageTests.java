package io.github.hilo.internal.counter;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.Stores;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WireFault;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.TimeSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a caller, the endpoint and health say of a reservation that failed, down to what
 * the driver says of its servers.
 */
@Thorough
class FailureMessageTests {

	private static final String NO_RANGE = "No range for sequence 'orders' of database 'shop': ";

	private static final String TIMED_OUT = NO_RANGE + "no answer from MongoDB after \\d+m?s:"
			+ " Timed out while waiting for a server";

	@ParameterizedTest
	@ValueSource(strings = { "", "/?serverSelectionTimeoutMS=100" })
	void deadServerIsSaidToRefuseTheConnection(String options) throws IOException {
		assertFailure("mongodb://" + closedAddress() + options, Duration.ofSeconds(1),
				TIMED_OUT + ".*Connection refused.*");
	}

	@Test
	void everyServerOfADeadReplicaSetIsNamed() throws IOException {
		assertFailure("mongodb://" + closedAddress() + "," + closedAddress() + ",nosuch.invalid/?replicaSet=rs",
				Duration.ofSeconds(1),
				TIMED_OUT + "(?=.*Connection refused)(?=.*UnknownHostException.*nosuch.invalid).*");
	}

	@Test
	void refusedPasswordIsSaidFirst() throws IOException {
		try (FakePrimary primary = new FakePrimary()) {
			primary.failAlways("saslStart", WireFault.UNAUTHENTICATED);
			String message = assertFailure(primary.uri().replace("mongodb://", "mongodb://clerk:secret@"),
					Duration.ofMinutes(1),
					NO_RANGE + "AuthenticationFailed: Authentication failed.; Exception authenticating.*");
			assertThat(message).contains("clerk").doesNotContain("secret");
		}
	}

	private static String assertFailure(String uri, Duration timeout, String expected) {
		try (MongoClient client = MongoClients.create(uri);
				HiLoEngine engine = EngineSettings.DEFAULTS.withTimeout(timeout)
					.engine(Stores.blocking(() -> client.getDatabase("shop"), true, client::getDatabase,
							TestDatabase.storeSettings(), TimeSource.SYSTEM), TimeSource.SYSTEM)) {
			// Again, because on a busy machine the time can be over before the driver has
			// tried every server.
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThatExceptionOfType(HiLoUnavailableException.class)
					.isThrownBy(() -> engine.generator().nextId("orders"))
					.withMessageMatching(expected));
			SequenceSnapshot.@Nullable Failure shown = only(engine.snapshot()).failure();
			assertThat(shown).isNotNull();
			assertThat(shown.message()).matches(expected);
			assertThat(only(engine.checkHealth()).available()).isFalse();
			return shown.message();
		}
	}

	private static <T> T only(Map<String, Map<String, T>> databases) {
		return databases.values().iterator().next().values().iterator().next();
	}

	private static String closedAddress() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return "127.0.0.1:" + socket.getLocalPort();
		}
	}

}
