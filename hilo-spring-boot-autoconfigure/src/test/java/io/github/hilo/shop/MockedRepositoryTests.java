package io.github.hilo.shop;

import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.answer;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class MockedRepositoryTests {

	private final InMemoryHiLoIdGenerator ids = new InMemoryHiLoIdGenerator();

	private final OrderRepository orders = mock();

	private final Desk desk = new Desk(this.orders);

	@Test
	void placedOrdersHaveIds() {
		given(this.orders.save(any())).will(answer((Order order) -> (order.id() != null) ? order
				: new Order(this.ids.nextDocumentId(Order.class), order.customer())));
		assertThat(this.desk.place("Ada").id()).isEqualTo("orders/1-A");
		assertThat(this.desk.place("Bob").id()).isEqualTo("orders/2-A");
	}

	private record Desk(OrderRepository orders) {

		Order place(String customer) {
			return this.orders.save(new Order(null, customer));
		}

	}

}
