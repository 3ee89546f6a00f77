package io.github.hilo.shop;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Thorough;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

@Thorough
@OnTestServer
@SpringBootTest
@MockitoBean(types = HiLoIdGenerator.class)
class MockedIdsTests {

	@Test
	void orderHasTheIdOfTheMock(@Autowired HiLoIdGenerator ids, @Autowired OrderRepository orders) {
		given(ids.nextDocumentId("orders")).willReturn("orders/7");
		assertThat(orders.save(new Order(null, "Ada")).id()).isEqualTo("orders/7");
	}

}
