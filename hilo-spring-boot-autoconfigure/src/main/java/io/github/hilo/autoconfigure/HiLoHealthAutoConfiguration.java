package io.github.hilo.autoconfigure;

import io.github.hilo.HiLo;
import io.github.hilo.actuate.HiLoHealthIndicator;
import io.github.hilo.engine.DefaultHiLoIdGenerator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the health of HiLo ids.
 */
@AutoConfiguration(after = HiLoAutoConfiguration.class)
@ConditionalOnClass({ HealthContributor.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(DefaultHiLoIdGenerator.class)
@ConditionalOnEnabledHealthIndicator("hilo")
public final class HiLoHealthAutoConfiguration {

	HiLoHealthAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = { "hiloHealthIndicator", "hiloHealthContributor" })
	HiLoHealthIndicator hiloHealthContributor(DefaultHiLoIdGenerator generator) {
		return new HiLoHealthIndicator(generator);
	}

}
