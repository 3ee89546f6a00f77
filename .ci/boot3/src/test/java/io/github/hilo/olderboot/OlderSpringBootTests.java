package io.github.hilo.olderboot;

import com.mongodb.client.MongoClient;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the starter does on a version that it does not support: nothing, and it says so.
 */
@ExtendWith(OutputCaptureExtension.class)
class OlderSpringBootTests {

	@ParameterizedTest
	@ValueSource(classes = { Application.class, ApplicationWithATemplate.class })
	void applicationStartsWithIdsOfMongoDbAndIsTold(Class<?> application, CapturedOutput output) {
		MongoServer server = new MongoServer(new MemoryBackend());
		String uri = server.bindAndGetConnectionString() + "/shop";
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
			.run("--spring.data.mongodb.uri=" + uri, "--spring.mongodb.uri=" + uri)) {
			assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).matches("[0-9a-f]{24}");
			assertThat(context.getBeanNamesForType(Object.class)).filteredOn((name) -> name.startsWith("hiLo"))
				.isEmpty();
		}
		finally {
			server.shutdownNow();
		}
		assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("older-boot.version"));
		assertThat(output.toString().lines().filter((line) -> line.contains("hilo"))).singleElement()
			.asString()
			.contains("WARN", "Spring Boot " + SpringBootVersion.getVersion(), "4.1 or later");
	}

	record Order(String id) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ApplicationWithATemplate {

		@Bean
		MongoTemplate mongoTemplate(MongoClient client) {
			return new MongoTemplate(client, "shop");
		}

	}

}
