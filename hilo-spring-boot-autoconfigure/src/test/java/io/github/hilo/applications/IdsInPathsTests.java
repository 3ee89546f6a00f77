package io.github.hilo.applications;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code docs/urls.md} says of controllers, on a Tomcat that listens.
 */
@Thorough
class IdsInPathsTests {

	private static final WebShop SHOP = WebShop.start(new ApplicationDatabase(), OrderController.class);

	@AfterAll
	static void close() {
		SHOP.close();
	}

	@ParameterizedTest
	@CsvSource({ "/orders/, orders/7-A, 200", "/orders/, orders%2F7-A, 400", "/orders/, orders%2f7-A, 400",
			"/single/, orders/7-A, 404", "/single/, orders%2F7-A, 400", "/orders/, orders/8-A, 404",
			"/single/, orders-7-A, 200", "/orders/, orders-7-A, 200" })
	void slashIsSentAsItIs(String prefix, String path, int status) {
		save(SHOP);
		assertThat(SHOP.get(prefix + path).statusCode()).isEqualTo(status);
	}

	private static void save(WebShop shop) {
		MongoTemplate template = shop.context().getBean(MongoTemplate.class);
		template.save(new Order("orders/7-A"));
		template.save(new Order("orders-7-A"));
	}

	@Document("orders")
	record Order(@Nullable String id) {
	}

	// Not to be found by the scan of another test.
	@NoRepositoryBean
	interface Orders extends MongoRepository<Order, String> {

	}

	@RestController
	static class OrderController {

		private final Orders orders;

		OrderController(MongoTemplate template) {
			MongoRepositoryFactory repositories = new MongoRepositoryFactory(template);
			repositories.setBeanClassLoader(Orders.class.getClassLoader());
			this.orders = repositories.getRepository(Orders.class);
		}

		@GetMapping("/single/{id}")
		Order single(@PathVariable String id) {
			return order("/" + id);
		}

		@GetMapping("/orders/{*id}")
		Order order(@PathVariable String id) {
			return this.orders.findById(id.substring(1))
				.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
		}

	}

}
