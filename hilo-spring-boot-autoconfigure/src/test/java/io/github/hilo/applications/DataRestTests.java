package io.github.hilo.applications;

import java.net.URI;
import java.net.http.HttpResponse;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;
import org.springframework.data.rest.webmvc.config.RepositoryRestMvcConfiguration;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code docs/urls.md} says of Spring Data REST, on a Tomcat that listens.
 */
@Thorough
class DataRestTests {

	private static final ApplicationDatabase DATABASE = new ApplicationDatabase();

	private static final WebShop SHOP = WebShop.start(DATABASE, Shop.class);

	@AfterAll
	static void close() {
		SHOP.close();
	}

	@BeforeEach
	void removeOrders() {
		DATABASE.collection("orders").drop();
	}

	@Test
	void locationCanBeFollowed() {
		URI order = post("/orders", "{\"customer\": \"Ada\"}");
		assertThat(order.getRawPath()).matches("/orders/orders~~[1-9]\\d*-A");
		HttpResponse<String> shown = SHOP.send(HttpMethod.GET, order, "");
		assertThat(shown.statusCode()).isEqualTo(200);
		assertThat(json(shown).at("/_links/self/href").asString()).isEqualTo(order.toString());
		assertThat(json(shown).path("customer").asString()).isEqualTo("Ada");
		assertThat(SHOP.send(HttpMethod.PUT, order, "{\"customer\": \"Grace\"}").statusCode()).isEqualTo(204);
		assertThat(template().findAll(Order.class)).singleElement().satisfies((stored) -> {
			assertThat(stored.id).matches("orders/[1-9]\\d*-A");
			assertThat(stored.customer).isEqualTo("Grace");
		});
		assertThat(SHOP.send(HttpMethod.DELETE, order, "").statusCode()).isEqualTo(204);
		assertThat(SHOP.send(HttpMethod.GET, order, "").statusCode()).isEqualTo(404);
		assertThat(DATABASE.ids("orders")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders/NorthServer/1-A", "orders~~1-A", "~/", "/~", "a~!b", "/a/", "//", "~jane",
			"orders-1-A", "50%", "a b+c", "\u00fc/\u00df", "{id}", "../x" })
	void everyIdIsFoundByTheLinkToItself(String id) {
		template().insert(Order.of(id, "Ada"));
		URI self = URI.create(json(SHOP.get("/orders")).at("/_embedded/orders/0/_links/self/href").asString());
		HttpResponse<String> shown = SHOP.send(HttpMethod.GET, self, "");
		assertThat(shown.statusCode()).as("%s", self).isEqualTo(200);
		assertThat(json(shown).path("customer").asString()).isEqualTo("Ada");
		assertThat(SHOP.send(HttpMethod.DELETE, self, "").statusCode()).isEqualTo(204);
		assertThat(DATABASE.ids("orders")).isEmpty();
	}

	private static MongoTemplate template() {
		return SHOP.context().getBean(MongoTemplate.class);
	}

	private static URI post(String path, String body) {
		HttpResponse<String> created = SHOP.send(HttpMethod.POST, SHOP.url(path), body);
		assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
		return URI.create(created.headers().firstValue("Location").orElseThrow());
	}

	private static JsonNode json(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	/**
	 * Mutable: Spring Data REST answers a PUT of a record with 204 and changes nothing.
	 */
	@Document("orders")
	static class Order {

		public @Nullable String id;

		public @Nullable String customer;

		static Order of(String id, String customer) {
			Order order = new Order();
			order.id = id;
			order.customer = customer;
			return order;
		}

	}

	@RepositoryRestResource
	interface OrderRepository extends MongoRepository<Order, String> {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(RepositoryRestMvcConfiguration.class)
	@EnableMongoRepositories(considerNestedRepositories = true,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = OrderRepository.class))
	static class Shop {

	}

}
