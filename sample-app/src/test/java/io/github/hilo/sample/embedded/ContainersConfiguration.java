package io.github.hilo.sample.embedded;

import org.testcontainers.mongodb.MongoDBContainer;

import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;

/**
 * A MongoDB container, a replica set of one member. It is no {@code @Configuration}, lest
 * the shops of the tests find it in their package.
 */
class ContainersConfiguration {

	@Bean
	@ServiceConnection
	@SuppressWarnings("resource")
	MongoDBContainer mongoContainer() {
		return new MongoDBContainer("mongo:8.0").withReplicaSet();
	}

}
