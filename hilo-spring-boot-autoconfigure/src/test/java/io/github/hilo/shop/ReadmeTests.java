package io.github.hilo.shop;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first minutes with the README.
 */
@OnTestServer
@DataMongoTest(properties = "spring.application.name=readme")
class ReadmeTests {

	@Test
	void firstIdsAreAsPromised(@Autowired MongoTemplate template) {
		// @formatter:off
		Order saved = template.insert(new Order(null, "Ada"));          // saved.id() is "orders/1-A"
		Ticket ticket = template.insert(new Ticket(null, "No light"));  // ticket.id() is 1
		// @formatter:on
		assertThat(saved.id()).isEqualTo("orders/1-A");
		assertThat(ticket.id()).isEqualTo(1);
	}

	@Document("orders")
	record Order(@Nullable String id, String customer) {
	}

	@Document("tickets")
	record Ticket(@Nullable Long id, String title) {
	}

}
