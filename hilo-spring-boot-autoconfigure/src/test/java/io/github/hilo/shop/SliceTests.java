package io.github.hilo.shop;

import java.util.List;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.core.MongoOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code @DataMongoTest} slices, which import nothing.
 */
@Thorough
class SliceTests {

	@Nested
	@OnTestServer
	@DataMongoTest(properties = "spring.application.name=a-context-of-its-own")
	class Plain {

		@Test
		void repositoryAndTemplateAssignIds(@Autowired OrderRepository orders, @Autowired MongoOperations template,
				@Autowired HiLoIdGenerator generator) {
			assertThat(orders.save(new Order(null, "Ada")).id()).isEqualTo("orders/1-A");
			assertThat(template.insert(new Order(null, "Bob")).id()).isEqualTo("orders/2-A");
			assertThat(generator.nextDocumentId(Order.class)).isEqualTo("orders/3-A");
			assertThat(orders.findAll()).extracting(Order::id).containsExactly("orders/1-A", "orders/2-A");
			assertThat(template.getCollection("@hilo").countDocuments()).isEqualTo(1);
		}

	}

	@Nested
	@OnTestServer
	@DataMongoTest
	class WithAGeneratorOfTheTest {

		@Test
		void replacesTheOtherAndIdsComeFromIt(@Autowired OrderRepository orders, @Autowired MongoOperations template,
				@Autowired List<HiLoIdGenerator> generators, @Autowired ObjectProvider<HiLoEngine> others) {
			assertThat(generators).singleElement().isInstanceOf(InMemoryHiLoIdGenerator.class);
			assertThat(others.stream()).isEmpty();
			assertThat(orders.save(new Order(null, "Ada")).id()).isEqualTo("orders~1-T");
			assertThat(orders.save(new Order(null, "Bob")).id()).isEqualTo("orders~2-T");
			assertThat(template.collectionExists("@hilo")).isFalse();
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class Generator {

			@Bean
			InMemoryHiLoIdGenerator generator() {
				return new InMemoryHiLoIdGenerator("T", "~");
			}

		}

	}

}
