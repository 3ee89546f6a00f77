package io.github.hilo.shop;

import com.mongodb.ConnectionString;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

// Netty, of the reactive driver, waits two seconds when a context is closed.
@DataMongoTest(excludeAutoConfiguration = MongoReactiveAutoConfiguration.class)
class InProcessServerTests {

	@Test
	void savedOrderHasAnId(@Autowired OrderRepository orders) {
		assertThat(orders.save(new Order(null, "Ada")).id()).isEqualTo("orders/1-A");
	}

	@Test
	void healthNeedsACommandThatTheServerDoesNotKnow() {
		assertHealth(HttpStatus.SERVICE_UNAVAILABLE);
		assertHealth(HttpStatus.OK, "management.health.mongodb.enabled=false");
	}

	private static void assertHealth(HttpStatus status, String... properties) {
		new WebApplicationContextRunner().withUserConfiguration(Application.class, Server.class)
			// There is no application to be alive or ready.
			.withPropertyValues("management.endpoint.health.probes.enabled=false")
			.withPropertyValues(properties)
			.run((context) -> {
				// Spring Boot asks each database, and a database begins with a document.
				context.getBean(MongoTemplate.class).insert(new Order(null, "Ada"));
				assertThat(MockMvcTester.from(context).get().uri("/actuator/health")).hasStatus(status);
			});
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Server {

		@Bean
		MongoServer mongoServer() {
			return new MongoServer(new MemoryBackend());
		}

		@Bean
		MongoConnectionDetails mongoConnectionDetails(MongoServer server) {
			ConnectionString uri = new ConnectionString(server.bindAndGetConnectionString() + "/test");
			return () -> uri;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = MongoReactiveAutoConfiguration.class)
	static class Application {

	}

}
