package io.github.hilo.autoconfigure;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.github.hilo.internal.metrics.ReservationMeterFilter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the meters of HiLo ids.
 */
@AutoConfiguration(after = HiLoAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(HiLoEngine.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class HiLoMetricsAutoConfiguration {

	HiLoMetricsAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	HiLoMetrics hiLoMetrics(MeterRegistry registry, ObjectProvider<ObservationRegistry> observations) {
		return new HiLoMetrics(registry, observations.getIfAvailable(() -> observingWith(registry)));
	}

	@Bean
	static MeterFilter hiLoReservationMeters() {
		return new ReservationMeterFilter();
	}

	private static ObservationRegistry observingWith(MeterRegistry registry) {
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
		return observations;
	}

}
