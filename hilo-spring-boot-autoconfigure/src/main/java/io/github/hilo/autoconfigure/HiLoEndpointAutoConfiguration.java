package io.github.hilo.autoconfigure;

import java.util.Locale;

import io.github.hilo.internal.actuate.HiLoEndpoint;
import io.github.hilo.internal.actuate.HiLoEndpointWebExtension;
import io.github.hilo.internal.engine.HiLoEngine;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the {@code hilo} actuator endpoint.
 */
@AutoConfiguration(after = HiLoAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(HiLoEngine.class)
@ConditionalOnAvailableEndpoint(HiLoEndpoint.class)
public final class HiLoEndpointAutoConfiguration {

	HiLoEndpointAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	HiLoEndpoint hiLoEndpoint(HiLoEngine engine, HiLoProperties properties) {
		return new HiLoEndpoint(engine, properties.formatOf(""),
				properties.assignIds().name().toLowerCase(Locale.ROOT));
	}

	@Bean
	@ConditionalOnAvailableEndpoint(value = HiLoEndpoint.class, exposure = EndpointExposure.WEB)
	HiLoEndpointWebExtension hiLoEndpointWebExtension(HiLoEndpoint endpoint) {
		return new HiLoEndpointWebExtension(endpoint);
	}

}
