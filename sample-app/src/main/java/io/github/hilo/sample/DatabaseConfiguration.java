package io.github.hilo.sample;

import java.util.concurrent.TimeUnit;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * How the shop talks to its database.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

	/** Less than the page waits for an answer. The driver's default is 30 s. */
	private static final int SELECTION_SECONDS = 3;

	/**
	 * Shortens an outage's requests. It comes before what the uri says.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	MongoClientSettingsBuilderCustomizer quickServerSelection() {
		return (settings) -> settings
			.applyToClusterSettings((cluster) -> cluster.serverSelectionTimeout(SELECTION_SECONDS, TimeUnit.SECONDS));
	}

}
