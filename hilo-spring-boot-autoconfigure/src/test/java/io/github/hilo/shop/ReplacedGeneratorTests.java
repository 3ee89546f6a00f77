package io.github.hilo.shop;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.actuate.HiLoEndpoint;
import io.github.hilo.actuate.HiLoHealthIndicator;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that replace the generator, while everything else goes on.
 */
@Thorough
class ReplacedGeneratorTests {

	@Nested
	@OnTestServer
	@SpringBootTest(webEnvironment = WebEnvironment.NONE,
			properties = { "hilo.warm-up=invoices", "management.endpoints.jmx.exposure.include=hilo",
					"spring.jmx.enabled=true" })
	@MockitoBean(types = HiLoIdGenerator.class)
	class MockInAnApplication {

		@Test
		void everythingElseGoesOn(@Autowired HiLoEndpoint endpoint, @Autowired HiLoHealthIndicator health) {
			assertThat(endpoint.sequences().databases().values()).singleElement()
				.satisfies((sequences) -> assertThat(sequences).as("what was warmed up").containsOnlyKeys("invoices"));
			assertThat(health.health()).satisfies((is) -> assertThat(is.getStatus()).isEqualTo(Status.UP));
		}

	}

	@Nested
	@OnTestServer
	@DataMongoTest
	class TestBeanInASlice {

		@TestBean
		private HiLoIdGenerator ids = new InMemoryHiLoIdGenerator();

		@Test
		void documentsGetTheIdsOfTheTestBean(@Autowired OrderRepository orders) {
			assertThat(orders.save(new Order(null, "Ada")).id()).isEqualTo("orders-1");
			assertThat(this.ids.nextId("orders")).isEqualTo(2);
		}

		static HiLoIdGenerator ids() {
			return new InMemoryHiLoIdGenerator("", "-");
		}

	}

}
