package io.github.hilo.autoconfigure;

import java.time.Duration;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import jakarta.annotation.PreDestroy;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the life of the generator in a reactive application, with the reactive driver
 * only and with both.
 */
@ParameterizedClass
@ValueSource(booleans = { true, false })
class HiLoReactiveLifecycleTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Parameter
	private boolean bothDrivers;

	@AfterEach
	void dropDatabase() {
		MongoTestServer.client().getDatabase(this.database.name()).drop();
	}

	@Test
	void closingTheContextReturnsWhatIsUnused() {
		runner().run((context) -> {
			context.getBean(ReactiveMongoTemplate.class).insert(new Order(null)).block(PATIENCE);
			assertThat(max()).isEqualTo(32);
		});
		assertThat(max()).isEqualTo(1);
	}

	@Test
	void beanThatSavesWhileItIsDestroyedStillGetsItsId() {
		runner().withUserConfiguration(SaverConfiguration.class).run((context) -> {
		});
		assertThat(this.database.ids("order")).containsExactly("order/1-A");
		assertThat(max()).isEqualTo(1);
	}

	private ApplicationContextRunner runner() {
		String[] connection = this.database.connectionProperties();
		return this.bothDrivers ? ReactiveApplications.withBothDrivers(connection)
				: ReactiveApplications.withReactiveDriver(connection);
	}

	private @Nullable Long max() {
		Document counter = this.database.collection("@hilo").find(new Document("_id", "Raven/HiLo/order")).first();
		return (counter != null) ? counter.getLong("Max") : null;
	}

	record Order(@Nullable String id) {
	}

	@Configuration(proxyBeanMethods = false)
	static class SaverConfiguration {

		@Bean
		Saver saver(ReactiveMongoTemplate template) {
			return new Saver(template);
		}

	}

	/**
	 * Saves a last document, as beans with a buffer do.
	 */
	static class Saver {

		private final ReactiveMongoTemplate template;

		Saver(ReactiveMongoTemplate template) {
			this.template = template;
		}

		@PreDestroy
		void saveLast() {
			this.template.insert(new Order(null)).block(PATIENCE);
		}

	}

}
