package io.github.hilo.autoconfigure;

import java.util.function.Consumer;

import java.util.List;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class HiLoMetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationDatabase().contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
				ObservationAutoConfiguration.class));

	@Test
	void runShouldMeterTheSequences() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(HiLoMetrics.class);
			context.getBean(HiLoIdGenerator.class).nextIds("orders", 3);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get(HiLoMetrics.IDS_ISSUED).tags("sequence", "orders").functionCounter().count())
				.isEqualTo(3);
			assertThat(registry.get(HiLoMetrics.RESERVATION).tags("sequence", "orders").timer().count()).isEqualTo(1);
			assertThat(registry.get(HiLoMetrics.WAIT).tags("sequence", "orders").timer().count()).isEqualTo(1);
		});
	}

	@Test
	void runWithAnObservationHandlerThatNeedsATemplateShouldMeterAllTheSame() {
		this.contextRunner.withUserConfiguration(HandlerWithTemplate.class)
			.withPropertyValues("hilo.warm-up=orders")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(MeterRegistry.class).get(HiLoMetrics.RESERVATION).timer().count())
					.as("the warm-up's")
					.isEqualTo(1);
			});
	}

	@Test
	void everyMeterHasADescription() {
		this.contextRunner.run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("orders");
			List<Meter> meters = context.getBean(MeterRegistry.class)
				.getMeters()
				.stream()
				.filter((meter) -> meter.getId().getName().startsWith("hilo."))
				.toList();
			assertThat(meters).extracting((meter) -> meter.getId().getName())
				.contains(HiLoMetrics.RESERVATION, HiLoMetrics.AVAILABLE);
			assertThat(meters).allSatisfy((meter) -> assertThat(meter.getId().getDescription()).isNotBlank());
		});
	}

	@ParameterizedTest
	@CsvSource({ "management.metrics.enable.hilo=false, 0, 0", "management.observations.enable.hilo=false, 1, 0",
			"management.metrics.enable.other=false, 1, 1" })
	void metersAndObservationsCanBeSwitchedOff(String property, int waits, int reservations) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.find(HiLoMetrics.WAIT).timers()).hasSize(waits);
			assertThat(registry.find(HiLoMetrics.RESERVATION).timers()).hasSize(reservations);
		});
	}

	@Test
	void runWithoutObservationsShouldTimeReservationsAllTheSame() {
		new ApplicationDatabase().contextRunner()
			.withConfiguration(AutoConfigurations.of(HiLoMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				context.getBean(HiLoIdGenerator.class).nextId("orders");
				assertThat(context.getBean(MeterRegistry.class).get(HiLoMetrics.RESERVATION).timer().count())
					.isEqualTo(1);
			});
	}

	@Test
	void runWithoutRegistryShouldNotHaveMetrics() {
		new ApplicationDatabase().contextRunner()
			.withConfiguration(AutoConfigurations.of(HiLoMetricsAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Consumer.class);
				assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
			});
	}

	@Test
	void runWithSeveralRegistriesAndNoPrimaryShouldNotHaveMetrics() {
		new ApplicationDatabase().contextRunner()
			.withConfiguration(AutoConfigurations.of(HiLoMetricsAutoConfiguration.class))
			.withBean("first", MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("second", MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HiLoMetrics.class));
	}

	@Test
	void runWithoutMicrometerShouldNotHaveMetrics() {
		// Imported, since a class that is registered was loaded with Micrometer in sight.
		new ApplicationContextRunner().withUserConfiguration(ImportedAutoConfiguration.class)
			.withPropertyValues(new ApplicationDatabase().connectionProperties())
			.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(Consumer.class);
				assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
			});
	}

	@Test
	void runWithGeneratorOfTheUserShouldNotHaveMetrics() {
		this.contextRunner.withBean(HiLoIdGenerator.class, () -> mock(HiLoIdGenerator.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HiLoMetrics.class));
	}

	@Test
	void runWithMetricsOfTheUserShouldBackOff() {
		HiLoMetrics users = new HiLoMetrics(new SimpleMeterRegistry(), ObservationRegistry.NOOP);
		this.contextRunner.withBean("users", HiLoMetrics.class, () -> users)
			.run((context) -> assertThat(context).hasSingleBean(HiLoMetrics.class).hasBean("users"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class, HiLoMetricsAutoConfiguration.class })
	static class ImportedAutoConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class HandlerWithTemplate {

		@Bean
		ObservationHandler<Observation.Context> handler(MongoTemplate template) {
			return (context) -> template.getConverter() == null;
		}

	}

}
