package io.github.hilo.shop;

import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

@OnTestServer
@DataMongoTest
class PredictableIdsTests {

	private final OrderRepository orders;

	private final InMemoryHiLoIdGenerator ids;

	@Autowired
	PredictableIdsTests(OrderRepository orders, InMemoryHiLoIdGenerator ids) {
		this.orders = orders;
		this.ids = ids;
	}

	@BeforeEach
	void startOver() {
		this.orders.deleteAll();
		this.ids.reset();
	}

	@Test
	void firstOrder() {
		assertThat(this.orders.save(new Order(null, "Ada")).id()).isEqualTo("orders/1-A");
	}

	@Test
	void firstOrderAgain() {
		assertThat(this.orders.save(new Order(null, "Bob")).id()).isEqualTo("orders/1-A");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class PredictableIds {

		@Bean
		InMemoryHiLoIdGenerator ids() {
			return new InMemoryHiLoIdGenerator();
		}

	}

}
