package io.github.hilo.autoconfigure;

import io.github.hilo.internal.actuate.HiLoHealthIndicator;
import io.github.hilo.internal.engine.HiLoEngine;

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
@ConditionalOnBean(HiLoEngine.class)
@ConditionalOnEnabledHealthIndicator("hilo")
public final class HiLoHealthAutoConfiguration {

	HiLoHealthAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = { "hiloHealthIndicator", "hiloHealthContributor" })
	HiLoHealthIndicator hiloHealthContributor(HiLoEngine engine) {
		return new HiLoHealthIndicator(engine);
	}

}
