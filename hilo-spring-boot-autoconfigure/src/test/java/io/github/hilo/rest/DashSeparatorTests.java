package io.github.hilo.rest;

import java.util.stream.Stream;

import io.github.hilo.fixture.ApplicationDatabase;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.mongodb.core.MongoOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The separator that {@code docs/urls.md} recommends: numbers of stored ids are found
 * although node tags begin with a dash, too.
 */
class DashSeparatorTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner contextRunner = this.database.contextRunner()
		.withPropertyValues("hilo.identity-parts-separator=-");

	@Test
	void numbersOfStoredIdsAreFound() {
		store("orders-54-A", "orders/99-A");
		this.contextRunner.run((context) -> {
			MongoOperations template = context.getBean(MongoOperations.class);
			assertThat(template.insert(new Order(null)).id()).isEqualTo("orders-55-A");
		});
	}

	private void store(String... ids) {
		this.database.collection("orders").insertMany(Stream.of(ids).map((id) -> new Document("_id", id)).toList());
	}

	@org.springframework.data.mongodb.core.mapping.Document("orders")
	record Order(@Nullable String id) {
	}

}
