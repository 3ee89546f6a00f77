package io.github.hilo.shop;

import io.github.hilo.fixture.Thorough;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

@Thorough
@ContextConfiguration(initializers = OnTestServer.ReactiveConnection.class)
@DataMongoTest
class PredictableReactiveIdsTests {

	@MockitoBean
	private ReactiveHiLoIdGenerator ids;

	@BeforeEach
	void countFromOne() {
		InMemoryHiLoIdGenerator inMemory = new InMemoryHiLoIdGenerator();
		given(this.ids.nextDocumentId("orders")).willReturn(Mono.fromSupplier(() -> inMemory.nextDocumentId("orders")));
	}

	@Test
	void ordersCount(@Autowired ReactiveMongoOperations template) {
		assertThat(template.insert(new Order(null, "Ada")).map(Order::id).block()).isEqualTo("orders/1-A");
		assertThat(template.insert(new Order(null, "Bob")).map(Order::id).block()).isEqualTo("orders/2-A");
	}

}
