package io.github.hilo.sample.demo;

import java.util.List;

import io.github.hilo.fixture.Thorough;
import io.github.hilo.sample.ShopApplication;
import io.github.hilo.sample.shop.Order;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Thorough
class NewestOrdersTests {

	@Test
	void areTheLastOfMany() {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory")) {
			PageController page = shop.getBean(PageController.class);
			assertThat(page.newestOrders()).isEmpty();
			page.placeOrders(NewestOrders.COUNT);
			List<Order> placed = page.placeOrders(1000);
			assertThat(page.newestOrders()).hasSize(NewestOrders.COUNT)
				.startsWith(placed.get(999))
				.endsWith(placed.get(980));
		}
	}

	@Test
	void noMoreArePlacedThanMayBeStored() {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory", "--sample.max-orders=5")) {
			PageController page = shop.getBean(PageController.class);
			page.placeOrders(3);
			assertThatExceptionOfType(ResponseStatusException.class).isThrownBy(() -> page.placeOrders(3))
				.satisfies((refused) -> assertThat(refused.getStatusCode()).isEqualTo(HttpStatus.INSUFFICIENT_STORAGE))
				.withMessageContaining("3 orders are stored, and 3 more would be more than sample.max-orders=5.");
			assertThat(page.placeOrders(2)).hasSize(2);
		}
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(ShopApplication.class).properties("server.port=0").run(arguments);
	}

}
