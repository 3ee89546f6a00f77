package io.github.hilo.rest;

import java.net.URI;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.support.MongoRepositoryFactory;
import org.springframework.data.repository.NoRepositoryBean;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

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

	@Test
	void mockMvcAcceptsWhatTomcatRefuses() {
		save(SHOP);
		URI encoded = SHOP.url("/single/orders%2F7-A");
		assertThat(MockMvcTester.from(SHOP.context()).get().uri(encoded)).hasStatusOk();
		assertThat(SHOP.get("/single/orders%2F7-A").statusCode()).isEqualTo(400);
	}

	@Test
	void locationWithASlashCanBeFollowed() {
		RestClient client = RestClient.create();
		URI location = client.post().uri(SHOP.url("/orders")).retrieve().toBodilessEntity().getHeaders().getLocation();
		assertThat(location).isNotNull();
		assertThat(location.getRawPath()).matches("/orders/orders/[1-9]\\d*-A");
		assertThat(status(client.get().uri(location))).isEqualTo(HttpStatus.OK);
	}

	@Test
	void tomcatCanBeToldToPassAnEncodedSlashOn() {
		try (WebShop shop = WebShop.start(new ApplicationDatabase(), PassingOrders.class)) {
			save(shop);
			assertThat(shop.get("/single/orders%2F7-A").statusCode()).isEqualTo(200);
			assertThat(shop.get("/single/orders%2f7-A").statusCode()).isEqualTo(200);
			assertThat(shop.get("/orders/orders%2F7-A").statusCode()).isEqualTo(200);
			assertThat(shop.get("/orders/orders/7-A").statusCode()).isEqualTo(200);
			assertThat(shop.get("/single/orders/7-A").statusCode()).isEqualTo(404);
		}
	}

	private static void save(WebShop shop) {
		MongoTemplate template = shop.context().getBean(MongoTemplate.class);
		template.save(new Order("orders/7-A"));
		template.save(new Order("orders-7-A"));
	}

	private static HttpStatusCode status(RestClient.RequestHeadersSpec<?> request) {
		return request.exchange((sent, response) -> response.getStatusCode());
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

		@PostMapping("/orders")
		ResponseEntity<Void> place() {
			Order placed = this.orders.save(new Order(null));
			return ResponseEntity
				.created(ServletUriComponentsBuilder.fromCurrentRequest().path("/" + placed.id()).build().toUri())
				.build();
		}

	}

	@Import(OrderController.class)
	static class PassingOrders {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
			return (tomcat) -> tomcat
				.addConnectorCustomizers((connector) -> connector.setEncodedSolidusHandling("passthrough"));
		}

	}

}
