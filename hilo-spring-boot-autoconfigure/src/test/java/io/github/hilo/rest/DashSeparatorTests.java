package io.github.hilo.rest;

import java.util.stream.Stream;

import io.github.hilo.data.HiLoResync;
import io.github.hilo.fixture.ApplicationDatabase;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

	@ParameterizedTest
	@CsvSource({ "orders-54-A, orders-55-A", "orders-54-eu-77, orders-78-A", "orders/54-A, orders-1-A" })
	void firstIdIsAboveTheStoredOnesOfThisSeparator(String stored, String first) {
		store(stored);
		this.contextRunner
			.run((context) -> assertThat(insert(context.getBean(MongoOperations.class))).isEqualTo(first));
	}

	@Test
	void resyncRaisesTheCounterToTheStoredIds() {
		this.contextRunner.run((context) -> {
			assertThat(insert(context.getBean(MongoOperations.class))).isEqualTo("orders-1-A");
			store("orders-54-A", "orders-154-A");
			context.getBean(HiLoResync.class).resync(Order.class);
			assertThat(insert(context.getBean(MongoOperations.class))).isEqualTo("orders-155-A");
		});
	}

	private void store(String... ids) {
		this.database.collection("orders").insertMany(Stream.of(ids).map((id) -> new Document("_id", id)).toList());
	}

	private static @Nullable String insert(MongoOperations template) {
		return template.insert(new Order(null)).id();
	}

	@org.springframework.data.mongodb.core.mapping.Document("orders")
	record Order(@Nullable String id) {
	}

}
