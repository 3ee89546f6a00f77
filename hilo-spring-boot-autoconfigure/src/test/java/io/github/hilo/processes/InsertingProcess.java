package io.github.hilo.processes;

import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An application that inserts orders as fast as it can until it is stopped. Only what it
 * needs is configured, so that it starts quickly.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
		HiLoAutoConfiguration.class })
class InsertingProcess {

	static final String ORDERS = "orders";

	/**
	 * How many threads insert.
	 */
	static final String THREADS_PROPERTY = "inserts.threads";

	/**
	 * What a process says once its first insert was acknowledged.
	 */
	static final String INSERTING = "inserting";

	/**
	 * What precedes the number of acknowledged inserts when a process has stopped.
	 */
	static final String ACKNOWLEDGED = "acknowledged ";

	/**
	 * Starts the application.
	 * @param args its properties
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(InsertingProcess.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.run(args);
	}

	@Bean
	OrderInserts orderInserts(MongoTemplate template, @Value("${" + THREADS_PROPERTY + "}") int threads) {
		return new OrderInserts(template, threads);
	}

	/**
	 * An order.
	 *
	 * @param id given before it is stored
	 */
	@Document(ORDERS)
	record Order(@Id @Nullable String id) {
	}

}
