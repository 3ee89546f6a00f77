package io.github.hilo.shop;

import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OrderServiceTests {

	private final OrderService service = new OrderService(new InMemoryHiLoIdGenerator());

	@Test
	void draftsHaveIdsOfTheirOwn() {
		assertThat(this.service.draft("Ada").id()).isEqualTo("orders/1-A");
		assertThat(this.service.draft("Bob").id()).isEqualTo("orders/2-A");
	}

}
