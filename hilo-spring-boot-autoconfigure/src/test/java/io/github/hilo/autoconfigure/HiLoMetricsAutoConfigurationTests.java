package io.github.hilo.autoconfigure;

import java.util.function.Consumer;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Docs;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class HiLoMetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationDatabase().contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoMetricsAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class,
				ObservationAutoConfiguration.class));

	private final ApplicationContextRunner withoutRegistry = new ApplicationDatabase().contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoMetricsAutoConfiguration.class));

	@Test
	void runShouldMeterTheSequencesAndDescribeEveryMeter() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(HiLoMetrics.class);
			context.getBean(HiLoIdGenerator.class).nextIds("orders", 3);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get(HiLoMetrics.IDS_ISSUED).tags("sequence", "orders").functionCounter().count())
				.isEqualTo(3);
			assertThat(registry.get(HiLoMetrics.RESERVATION).tags("sequence", "orders").timer().count()).isEqualTo(1);
			assertThat(registry.get(HiLoMetrics.WAIT).tags("sequence", "orders").timer().count()).isEqualTo(1);
			assertThat(registry.getMeters().stream().map(Meter::getId))
				.filteredOn((id) -> id.getName().startsWith("hilo."))
				.hasSizeGreaterThan(5)
				.allSatisfy((id) -> assertThat(id.getDescription()).isNotBlank());
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

	@ParameterizedTest
	@CsvSource({ "management.metrics.enable.hilo=false, 0, 0", "management.observations.enable.hilo=false, 2, 0",
			"management.metrics.enable.other=false, 2, 1" })
	void metersAndObservationsCanBeSwitchedOff(String property, int waits, int reservations) {
		this.contextRunner.withPropertyValues(property).run((context) -> {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.find(HiLoMetrics.WAIT).timers()).hasSize(waits);
			assertThat(registry.find(HiLoMetrics.RESERVATION).timers()).hasSize(reservations);
		});
	}

	@Test
	void runWithHistogramsOfTheGuideShouldHaveBuckets() {
		String property = "management.metrics.distribution.percentiles-histogram.";
		assertThat(Docs.page("operating.md")).contains(property + "hilo.reservation=true", "`….hilo.wait=true`");
		ApplicationContextRunner prometheus = this.contextRunner.withBean(PrometheusMeterRegistry.class,
				() -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
		prometheus.withPropertyValues(property + "hilo.reservation=true", property + "hilo.wait=true")
			.run((context) -> assertThat(scrapeOf(context)).contains("hilo_reservation_seconds_bucket{",
					"hilo_wait_seconds_bucket{"));
		prometheus.run((context) -> assertThat(scrapeOf(context)).doesNotContain("_seconds_bucket{"));
	}

	private static String scrapeOf(AssertableApplicationContext context) {
		context.getBean(HiLoIdGenerator.class).nextId("orders");
		return context.getBean(PrometheusMeterRegistry.class).scrape();
	}

	@Test
	void runWithoutObservationsShouldTimeReservationsAllTheSame() {
		this.withoutRegistry.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("orders");
			assertThat(context.getBean(MeterRegistry.class).get(HiLoMetrics.RESERVATION).timer().count()).isEqualTo(1);
		});
	}

	@Test
	void runWithoutRegistryShouldNotHaveMetrics() {
		this.withoutRegistry.run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(Consumer.class);
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
		});
	}

	@Test
	void runWithSeveralRegistriesAndNoPrimaryShouldNotHaveMetrics() {
		this.withoutRegistry.withBean("first", MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean("second", MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HiLoMetrics.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class HandlerWithTemplate {

		@Bean
		ObservationHandler<Observation.Context> handler(MongoTemplate template) {
			return (context) -> template.getConverter() == null;
		}

	}

}
