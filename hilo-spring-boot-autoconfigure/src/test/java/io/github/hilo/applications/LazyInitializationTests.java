package io.github.hilo.applications;

import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose beans are made when they are first needed.
 */
@Thorough
class LazyInitializationTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void warmUpRunsAtStartUpAllTheSame() {
		try (ConfigurableApplicationContext context = start("--hilo.warm-up=invoices")) {
			assertThat(context.isRunning()).isTrue();
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/invoices");
		}
	}

	private ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(this.database.connectionProperties())
			.properties("spring.main.lazy-initialization=true", "spring.main.banner-mode=off",
					"spring.main.register-shutdown-hook=false")
			.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class })
	static class Application {

	}

	@Document("orders")
	record Order(@Id @Nullable String id, String customer) {
	}

}
