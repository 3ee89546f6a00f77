package io.github.hilo.internal.metrics;

import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.FullApplication;
import io.github.hilo.internal.engine.HiLoEngine;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
	void filtersOfTheGuidesLimitTheSequencesAndTheTenantsThatHaveMeters() {
		new ApplicationContextRunner().withUserConfiguration(FullApplication.class, Limited.class)
			.withPropertyValues(this.database.connectionProperties())
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				for (int i = 1; i <= 120; i++) {
					assertThat(generator.nextId("sequence" + i)).isEqualTo(1);
				}
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(tags(registry, "sequence")).hasSize(100);
				assertThat(registry.get(HiLoMetrics.IDS_ISSUED).tag("sequence", "sequence7").functionCounter().count())
					.isEqualTo(1);
				assertThat(context.getBean(HiLoEngine.class).snapshot().values())
					.allSatisfy((sequences) -> assertThat(sequences).hasSize(120));
				for (int i = 1; i <= 60; i++) {
					assertThat(generator.forDatabase(this.database.name() + i).nextId("sequence1")).isEqualTo(1);
				}
				assertThat(tags(registry, "database")).hasSize(50);
			});
	}

	private static Stream<@Nullable String> tags(MeterRegistry registry, String key) {
		return registry.getMeters()
			.stream()
			.filter((meter) -> meter.getId().getName().startsWith("hilo."))
			.map((meter) -> meter.getId().getTag(key))
			.distinct();
	}

	@Configuration(proxyBeanMethods = false)
	static class Limited {

		@Bean
		MeterFilter atMost100Sequences() {
			return MeterFilter.maximumAllowableTags("hilo", "sequence", 100, MeterFilter.deny());
		}

		@Bean
		MeterFilter atMost50Tenants() {
			return MeterFilter.maximumAllowableTags("hilo", "database", 50, MeterFilter.deny());
		}

	}

}
