package io.github.hilo.shop;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;

import static org.assertj.core.api.Assertions.assertThat;

@OnTestServer
@DataMongoTest
class OrderRepositoryTests {

	private final OrderRepository orders;

	@Autowired
	OrderRepositoryTests(OrderRepository orders) {
		this.orders = orders;
	}

	@Test
	void savedOrderIsFoundByItsId() {
		Order saved = this.orders.save(new Order(null, "Ada"));
		assertThat(saved.id()).matches("orders/\\d+-A");
		assertThat(this.orders.findAll()).contains(saved);
	}

}
