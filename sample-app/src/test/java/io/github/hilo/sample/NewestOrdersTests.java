package io.github.hilo.sample;

import java.util.List;

import de.bwaldvogel.mongo.MongoServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NewestOrdersTests {

	@Test
	void areThoseOfAllShopsOnTheDatabase() {
		try (ConfigurableApplicationContext first = start("--sample.data=memory");
				ConfigurableApplicationContext second = start("--hilo.node-tag=B",
						"--spring.mongodb.uri=" + first.getBean(MongoServer.class).getConnectionString() + "/shop")) {
			List<Order> ofFirst = place(first, 2);
			List<Order> ofSecond = place(second, 1);
			assertThat(newest(first)).containsExactly(ofSecond.get(0), ofFirst.get(1), ofFirst.get(0))
				.isEqualTo(newest(second));
		}
	}

	@Test
	void areTheLastOfMany() {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory")) {
			assertThat(newest(shop)).isEmpty();
			place(shop, NewestOrders.COUNT);
			List<Order> placed = place(shop, 1000);
			assertThat(newest(shop)).hasSize(NewestOrders.COUNT).startsWith(placed.get(999)).endsWith(placed.get(980));
			place(shop, 1);
			assertThat(newest(shop)).hasSize(NewestOrders.COUNT).endsWith(placed.get(981));
		}
	}

	@Test
	void areFoundWithoutReadingTheOthers() {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory")) {
			place(shop, 1);
			shop.getBean(MongoOperations.class)
				.getCollection("orders")
				.insertOne(new org.bson.Document("_id", "unlike any order"));
			assertThat(newest(shop)).hasSize(1);
		}
	}

	@Test
	void leaveOutWhatWasDeleted() {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory")) {
			List<Order> placed = place(shop, 3);
			shop.getBean(OrderRepository.class).delete(placed.get(1));
			assertThat(newest(shop)).containsExactly(placed.get(2), placed.get(0));
		}
	}

	@Test
	void noMoreArePlacedThanMayBeStored() {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory", "--sample.max-orders=5")) {
			place(shop, 3);
			assertThatExceptionOfType(ResponseStatusException.class).isThrownBy(() -> place(shop, 3))
				.satisfies((refused) -> assertThat(refused.getStatusCode()).isEqualTo(HttpStatus.INSUFFICIENT_STORAGE))
				.withMessageContaining("3 orders are stored, and 3 more would be more than sample.max-orders=5.");
			assertThat(place(shop, 2)).hasSize(2);
		}
	}

	private static List<Order> newest(ConfigurableApplicationContext shop) {
		return shop.getBean(OrderController.class).newest();
	}

	private static List<Order> place(ConfigurableApplicationContext shop, int count) {
		return shop.getBean(OrderController.class).place(count);
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(ShopApplication.class).properties("server.port=0").run(arguments);
	}

}
