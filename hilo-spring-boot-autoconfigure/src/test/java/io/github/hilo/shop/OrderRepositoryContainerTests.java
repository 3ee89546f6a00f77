package io.github.hilo.shop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.mongodb.MongoDBContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledIf(value = "io.github.hilo.fixture.MongoTestServer#isContainer",
		disabledReason = "The tests run on another server than a container")
@DataMongoTest
@Testcontainers(disabledWithoutDocker = true)
class OrderRepositoryContainerTests {

	@Test
	void savedOrderHasAnId(@Autowired OrderRepository orders) {
		assertThat(orders.save(new Order(null, "Ada")).id()).matches("orders/\\d+-A");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Containers {

		@Bean
		@ServiceConnection
		MongoDBContainer mongoContainer() {
			return new MongoDBContainer("mongo:8.0").withReplicaSet();
		}

	}

}
