package io.github.hilo.sample.demo;

import java.util.concurrent.TimeUnit;

import io.github.hilo.sample.shop.Customer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessException;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.index.IndexResolver;

/**
 * How the shop talks to its database.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseConfiguration.class);

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

	/**
	 * Spring Data would create the index, too, but then a shop could not start while
	 * MongoDB is down.
	 */
	@Bean
	ApplicationRunner customersIndex(MongoTemplate mongo) {
		return (arguments) -> {
			try {
				IndexResolver.create(mongo.getConverter().getMappingContext())
					.resolveIndexFor(Customer.class)
					.forEach(mongo.indexOps(Customer.class)::createIndex);
			}
			catch (DataAccessException ex) {
				logger.warn("The index of the customers' numbers cannot be created: {}", ex.getMessage());
			}
		};
	}

}
