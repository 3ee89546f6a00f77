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

	/** The driver's default is 30 s. */
	private static final int SELECTION_SECONDS = 3;

	/** A server that is frozen keeps its connections, and the driver waits forever. */
	private static final int OPERATION_SECONDS = 5;

	/**
	 * Bounds a request's time in an outage. It comes before what the uri says.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	MongoClientSettingsBuilderCustomizer boundedTime() {
		return (settings) -> settings.timeout(OPERATION_SECONDS, TimeUnit.SECONDS)
			.applyToClusterSettings((cluster) -> cluster.serverSelectionTimeout(SELECTION_SECONDS, TimeUnit.SECONDS));
	}

}
