package io.github.hilo.shop;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first minutes with the README.
 */
@OnTestServer
@DataMongoTest(properties = "spring.application.name=readme")
class ReadmeTests {

	@Test
	void firstIdIsAsPromised(@Autowired MongoTemplate template) {
		// @formatter:off
		Order saved = template.insert(new Order(null, "Ada"));    // saved.id() is "orders/1-A"
		// @formatter:on
		assertThat(saved.id()).isEqualTo("orders/1-A");
	}

}
