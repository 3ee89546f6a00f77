package io.github.hilo.autoconfigure;

import java.util.Map;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.actuate.HiLoHealthIndicator;
import io.github.hilo.fixture.ApplicationDatabase;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.mockito.Mockito.mock;

class HiLoHealthAutoConfigurationTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner contextRunner = this.database.contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoHealthAutoConfiguration.class));

	@Test
	void runShouldHaveContributorOfThatName() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(HiLoHealthIndicator.class)
			.hasBean("hiloHealthContributor"));
	}

	@Test
	void sequenceThatIssuesIdsIsUp() {
		this.contextRunner.run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("orders");
			Health health = health(context);
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails())
				.isEqualTo(Map.of(this.database.name(), Map.of("orders", Map.of("remaining", 31L))));
			context.getBean(HiLoIdGenerator.class).release();
			assertThat(health(context).getStatus()).as("a range is reserved when it is needed").isEqualTo(Status.UP);
		});
	}

	@Test
	void sequenceWhoseRangeIsUsedUpIsDownUntilItGetsAnother() {
		this.contextRunner.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			generator.nextIds("orders", 31);
			Document healthy = this.database.collection("@hilo").find().first();
			assertThat(healthy).isNotNull();
			this.database.collection("@hilo").replaceOne(new Document(), new Document("Max", "many"));
			assertThat(health(context).getStatus()).as("one number is left").isEqualTo(Status.UP);
			generator.nextId("orders");
			assertThat(health(context).getStatus()).as("nobody has tried").isEqualTo(Status.UP);
			assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> generator.nextId("orders"));
			Health down = health(context);
			assertThat(down.getStatus()).isEqualTo(Status.DOWN);
			assertThat(down.getDetails().get(this.database.name())).asInstanceOf(MAP)
				.extractingByKey("orders")
				.asInstanceOf(MAP)
				.containsOnlyKeys("remaining", "failedAt", "failure")
				.containsEntry("remaining", 0L);
			this.database.collection("@hilo").replaceOne(new Document(), healthy);
			// Nobody asks for an id meanwhile.
			Awaitility.await().until(() -> health(context).getStatus().equals(Status.UP));
			assertThat(generator.nextId("orders")).isEqualTo(33);
		});
	}

	@Test
	void oneSequenceThatIsDownMakesTheWholeDown() {
		this.database.setCounter("invoices", "many");
		this.contextRunner.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			generator.nextId("orders");
			assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> generator.nextId("invoices"));
			generator.nextId("orders");
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
		});
	}

	@Test
	void runWhenDisabledShouldNotHaveContributor() {
		this.contextRunner.withPropertyValues("management.health.hilo.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("hiloHealthContributor"));
	}

	@Test
	void runWithoutHealthShouldNotHaveContributor() {
		new ApplicationContextRunner().withUserConfiguration(ImportedAutoConfiguration.class)
			.withPropertyValues(new ApplicationDatabase().connectionProperties())
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasSingleBean(HiLoIdGenerator.class)
				.doesNotHaveBean("hiloHealthContributor"));
	}

	@Test
	void runWithGeneratorOfTheUserShouldNotHaveContributor() {
		this.contextRunner.withBean(HiLoIdGenerator.class, () -> mock(HiLoIdGenerator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("hiloHealthContributor"));
	}

	@Test
	void runWithContributorOfTheUserShouldBackOff() {
		this.contextRunner.withBean("hiloHealthIndicator", HealthIndicator.class, () -> () -> Health.unknown().build())
			.run((context) -> assertThat(context).doesNotHaveBean(HiLoHealthIndicator.class)
				.hasBean("hiloHealthIndicator"));
	}

	private static Health health(AssertableApplicationContext context) {
		Health health = context.getBean(HiLoHealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class, HiLoHealthAutoConfiguration.class })
	static class ImportedAutoConfiguration {

	}

}
