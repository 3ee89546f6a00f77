package io.github.hilo.autoconfigure;

import java.util.Map;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.internal.actuate.HiLoHealthIndicator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

class HiLoHealthAutoConfigurationTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner contextRunner = this.database.contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoHealthAutoConfiguration.class));

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
	void sequenceWhoseRangeIsUsedUpMakesTheWholeDownUntilItGetsAnother() {
		this.contextRunner.run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			generator.nextIds("orders", 31);
			this.database.setCounterTo("orders", "many");
			assertThat(health(context).getStatus()).as("one number is left").isEqualTo(Status.UP);
			generator.nextId("orders");
			assertThat(health(context).getStatus()).as("nobody has tried").isEqualTo(Status.UP);
			assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> generator.nextId("orders"));
			generator.nextId("invoices");
			Health down = health(context);
			assertThat(down.getStatus()).isEqualTo(Status.DOWN);
			assertThat(down.getDetails().get(this.database.name())).asInstanceOf(MAP)
				.extractingByKey("orders")
				.asInstanceOf(MAP)
				.containsOnlyKeys("remaining", "failedAt", "failure")
				.containsEntry("remaining", 0L);
			this.database.setCounterTo("orders", 32L);
			// Nobody asks for an id meanwhile.
			Awaitility.await().until(() -> health(context).getStatus().equals(Status.UP));
			assertThat(generator.nextId("orders")).isEqualTo(33);
		});
	}

	@Test
	void runWhenDisabledShouldNotHaveContributor() {
		this.contextRunner.withPropertyValues("management.health.hilo.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("hiloHealthContributor"));
	}

	private static Health health(AssertableApplicationContext context) {
		Health health = context.getBean(HiLoHealthIndicator.class).health();
		assertThat(health).isNotNull();
		return health;
	}

}
