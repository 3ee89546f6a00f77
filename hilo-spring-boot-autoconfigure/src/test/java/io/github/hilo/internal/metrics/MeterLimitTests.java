package io.github.hilo.internal.metrics;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The filters in {@code docs/operating.md} and {@code docs/configuring.md} that limit the
 * meters.
 */
class MeterLimitTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void filterOfTheGuideLimitsTheSequencesThatHaveMeters() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues(this.database.connectionProperties())
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				for (int i = 1; i <= 120; i++) {
					assertThat(generator.nextId("sequence" + i)).isEqualTo(1);
				}
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.getMeters()
					.stream()
					.filter((meter) -> meter.getId().getName().startsWith("hilo."))
					.map((meter) -> meter.getId().getTag("sequence"))
					.distinct()).hasSize(100);
				assertThat(registry.get(HiLoMetrics.IDS_ISSUED).tag("sequence", "sequence7").functionCounter().count())
					.isEqualTo(1);
				assertThat(context.getBean(HiLoEngine.class).snapshot().values())
					.allSatisfy((sequences) -> assertThat(sequences).hasSize(120));
			});
	}

	@Test
	void filterOfTheGuideLimitsTheTenantsThatHaveMeters() {
		new ApplicationContextRunner().withUserConfiguration(ManyTenants.class)
			.withPropertyValues(this.database.connectionProperties())
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				for (int i = 1; i <= 60; i++) {
					assertThat(generator.forDatabase(this.database.name() + i).nextId("orders")).isEqualTo(1);
				}
				assertThat(context.getBean(MeterRegistry.class)
					.getMeters()
					.stream()
					.filter((meter) -> meter.getId().getName().startsWith("hilo."))
					.map((meter) -> meter.getId().getTag("database"))
					.distinct()).hasSize(50);
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = MongoReactiveAutoConfiguration.class)
	static class Application {

		@Bean
		MeterFilter atMost100Sequences() {
			return MeterFilter.maximumAllowableTags("hilo", "sequence", 100, MeterFilter.deny());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = MongoReactiveAutoConfiguration.class)
	static class ManyTenants {

		@Bean
		MeterFilter atMost50Tenants() {
			return MeterFilter.maximumAllowableTags("hilo", "database", 50, MeterFilter.deny());
		}

	}

}
