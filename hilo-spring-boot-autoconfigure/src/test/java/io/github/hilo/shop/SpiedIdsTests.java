package io.github.hilo.shop;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.mongodb.core.ReactiveMongoOperations;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

@Thorough
@ContextConfiguration(initializers = OnTestServer.ReactiveConnection.class)
@SpringBootTest
class SpiedIdsTests {

	@MockitoSpyBean
	private HiLoIdGenerator ids;

	@MockitoSpyBean
	private ReactiveHiLoIdGenerator reactiveIds;

	@Test
	void orderHasTheIdOfTheStub(@Autowired OrderRepository orders) {
		doReturn("orders/7777-A").when(this.ids).nextDocumentId("orders");
		assertThat(orders.save(new Order(null, "Ada")).id()).isEqualTo("orders/7777-A");
		verify(this.ids).nextDocumentId("orders");
		verifyNoMoreInteractions(this.ids, this.reactiveIds);
	}

	@Test
	void orderOfAReactiveTemplateHasTheIdOfTheReactiveStub(@Autowired ReactiveMongoOperations template) {
		doReturn(Mono.just("orders/8888-A")).when(this.reactiveIds).nextDocumentId("orders");
		assertThat(template.insert(new Order(null, "Ada")).map(Order::id).block()).isEqualTo("orders/8888-A");
		verify(this.reactiveIds).nextDocumentId("orders");
		verifyNoMoreInteractions(this.ids, this.reactiveIds);
	}

}
