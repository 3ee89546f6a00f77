package io.github.hilo.rest;

import java.net.URI;

import io.github.hilo.fixture.ApplicationDatabase;
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
class IdsInPathsTests {

	private static final WebShop SHOP = WebShop.start(new ApplicationDatabase(), Orders.class);

	@AfterAll
	static void close() {
		SHOP.close();
	}

	@ParameterizedTest
	@CsvSource({ "/spanning/, orders/7-A, 200", "/spanning/, orders%2F7-A, 400", "/spanning/, orders%2f7-A, 400",
			"/single/, orders/7-A, 404", "/single/, orders%2F7-A, 400", "/spanning/, orders/8-A, 404",
			"/single/, orders-7-A, 200", "/spanning/, orders-7-A, 200" })
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
		URI location = client.post()
			.uri(SHOP.url("/spanning"))
			.retrieve()
			.toBodilessEntity()
			.getHeaders()
			.getLocation();
		assertThat(location).isNotNull();
		assertThat(location.getRawPath()).matches("/spanning/orders/[1-9]\\d*-A");
		assertThat(status(client.get().uri(location))).isEqualTo(HttpStatus.OK);
	}

	@Test
	void tomcatCanBeToldToPassAnEncodedSlashOn() {
		try (WebShop shop = WebShop.start(new ApplicationDatabase(), PassingOrders.class)) {
			save(shop);
			assertThat(shop.get("/single/orders%2F7-A").statusCode()).isEqualTo(200);
			assertThat(shop.get("/single/orders%2f7-A").statusCode()).isEqualTo(200);
			assertThat(shop.get("/spanning/orders%2F7-A").statusCode()).isEqualTo(200);
			assertThat(shop.get("/spanning/orders/7-A").statusCode()).isEqualTo(200);
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

	@RestController
	static class Orders {

		private final MongoTemplate template;

		Orders(MongoTemplate template) {
			this.template = template;
		}

		@GetMapping("/single/{id}")
		Order single(@PathVariable String id) {
			return order(id);
		}

		@GetMapping("/spanning/{*id}")
		Order spanning(@PathVariable String id) {
			return order(id.substring(1));
		}

		@PostMapping("/spanning")
		ResponseEntity<Void> place() {
			Order placed = this.template.insert(new Order(null));
			return ResponseEntity
				.created(ServletUriComponentsBuilder.fromCurrentRequest().path("/" + placed.id()).build().toUri())
				.build();
		}

		private Order order(String id) {
			Order order = this.template.findById(id, Order.class);
			if (order == null) {
				throw new ResponseStatusException(HttpStatus.NOT_FOUND);
			}
			return order;
		}

	}

	@Import(Orders.class)
	static class PassingOrders {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> encodedSlashes() {
			return (tomcat) -> tomcat
				.addConnectorCustomizers((connector) -> connector.setEncodedSolidusHandling("passthrough"));
		}

	}

}
