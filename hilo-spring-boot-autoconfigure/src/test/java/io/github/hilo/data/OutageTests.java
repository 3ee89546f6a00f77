package io.github.hilo.data;

import java.io.IOException;
import java.time.Duration;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TcpProxy;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.WithoutWarnings;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@code docs/operating.md} says of saves while MongoDB is gone.
 */
@ExtendWith(WithoutWarnings.class)
class OutageTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	@Test
	void saveThatHasItsNumberFailsAsTheDriverDoesAndLosesIt() throws IOException {
		try (TcpProxy proxy = new TcpProxy(MongoTestServer.primary())) {
			TestApplications.run(this.applications.database().contextRunner(), (app) -> {
				MongoTemplate template = app.template();
				assertThat(template.insert(new Order(null)).id()).isEqualTo(1);
				proxy.cut();
				for (int number = 2; number <= 3; number++) {
					assertThatExceptionOfType(DataAccessResourceFailureException.class)
						.isThrownBy(() -> template.insert(new Order(null)));
				}
				assertThatExceptionOfType(HiLoUnavailableException.class)
					.isThrownBy(() -> template.insert(new Order(null)));
				proxy.mend();
				Awaitility.await()
					.atMost(Duration.ofMinutes(1))
					.ignoreExceptions()
					.untilAsserted(() -> assertThat(template.insert(new Order(null)).id()).isGreaterThan(3));
			}, "spring.mongodb.uri=mongodb://" + proxy.address()
					+ "/?serverSelectionTimeoutMS=300&heartbeatFrequencyMS=500", "hilo.timeout=1s",
					"hilo.sequences.orders.range.initial-size=3");
		}
	}

	@Document("orders")
	record Order(@Nullable Long id) {
	}

}
