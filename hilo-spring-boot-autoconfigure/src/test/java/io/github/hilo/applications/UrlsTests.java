package io.github.hilo.applications;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import io.github.hilo.autoconfigure.HiLoRestAutoConfiguration;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
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
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.util.UriComponentsBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code docs/urls.md} says of controllers and of Spring Data REST, on a Tomcat that
 * listens, with a client that sends paths as they are.
 */
@Thorough
class UrlsTests {

	private static final ApplicationDatabase DATABASE = new ApplicationDatabase();

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final AnnotationConfigServletWebServerApplicationContext SHOP = (AnnotationConfigServletWebServerApplicationContext) new SpringApplicationBuilder(
			Shop.class)
		.bannerMode(Banner.Mode.OFF)
		.run(Stream.concat(Stream.of("--server.port=0"), Stream.of(DATABASE.connectionArguments()))
			.toArray(String[]::new));

	@AfterAll
	static void close() {
		SHOP.close();
	}

	@BeforeEach
	void removeOrders() {
		DATABASE.collection("orders").drop();
	}

	@ParameterizedTest
	@CsvSource({ "/orders/, orders/7-A, 200", "/orders/, orders%2F7-A, 400", "/orders/, orders%2f7-A, 400",
			"/single/, orders/7-A, 404", "/single/, orders%2F7-A, 400", "/orders/, orders/8-A, 404",
			"/single/, orders-7-A, 200", "/orders/, orders-7-A, 200", "/orders, '', 404",
			"/orders/, orders%252F7-A, 404" })
	void slashIsSentAsItIs(String prefix, String path, int status) throws Exception {
		template().insertAll(Stream.of("orders/7-A", "orders-7-A").map((id) -> Order.of(id, "Ada")).toList());
		assertThat(send(HttpMethod.GET, url(prefix + path), "").statusCode()).isEqualTo(status);
	}

	@Test
	void builderKeepsTheSlashIfItExpandsBeforeItEncodes() {
		assertThat(UriComponentsBuilder.fromPath("/orders/{id}").buildAndExpand("orders/7-A").toUri())
			.hasToString("/orders/orders/7-A");
		assertThat(UriComponentsBuilder.fromPath("/orders/{id}").build("orders/7-A"))
			.hasToString("/orders/orders%2F7-A");
		assertThat(UriComponentsBuilder.fromPath("/orders/{id}").encode().buildAndExpand("orders/7-A").toUri())
			.hasToString("/orders/orders%2F7-A");
	}

	@Test
	void locationCanBeFollowed() throws Exception {
		HttpResponse<String> created = send(HttpMethod.POST, url("/stored"), "{\"customer\": \"Ada\"}");
		assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
		URI order = URI.create(created.headers().firstValue("Location").orElseThrow());
		assertThat(order.getRawPath()).matches("/stored/orders~~[1-9]\\d*-A");
		JsonNode shown = get(order);
		assertThat(shown.at("/_links/self/href").asString()).isEqualTo(order.toString());
		assertThat(shown.path("customer").asString()).isEqualTo("Ada");
		assertThat(send(HttpMethod.PUT, order, "{\"customer\": \"Grace\"}").statusCode()).isEqualTo(204);
		assertThat(template().findAll(Order.class)).singleElement().satisfies((stored) -> {
			assertThat(stored.id).matches("orders/[1-9]\\d*-A");
			assertThat(stored.customer).isEqualTo("Grace");
		});
		assertThat(send(HttpMethod.DELETE, order, "").statusCode()).isEqualTo(204);
		assertThat(send(HttpMethod.GET, order, "").statusCode()).isEqualTo(404);
		assertThat(DATABASE.ids("orders")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "orders/NorthServer/1-A", "orders~~1-A", "~/", "/~", "a~!b", "/a/", "//", "~jane",
			"orders-1-A", "50%", "a b+c", "\u00fc/\u00df", "{id}", "../x" })
	void everyIdIsFoundByTheLinkToItself(String id) throws Exception {
		template().insert(Order.of(id, "Ada"));
		URI self = URI.create(get(url("/stored")).at("/_embedded/orders/0/_links/self/href").asString());
		assertThat(get(self).path("customer").asString()).isEqualTo("Ada");
		assertThat(send(HttpMethod.DELETE, self, "").statusCode()).isEqualTo(204);
		assertThat(DATABASE.ids("orders")).isEmpty();
	}

	private static MongoTemplate template() {
		return SHOP.getBean(MongoTemplate.class);
	}

	private static URI url(String path) {
		return URI.create("http://localhost:" + Objects.requireNonNull(SHOP.getWebServer()).getPort() + path);
	}

	private static JsonNode get(URI url) throws Exception {
		HttpResponse<String> response = send(HttpMethod.GET, url, "");
		assertThat(response.statusCode()).as("%s: %s", url, response.body()).isEqualTo(200);
		return JsonMapper.shared().readTree(response.body());
	}

	private static HttpResponse<String> send(HttpMethod method, URI url, String body) throws Exception {
		return HTTP.send(HttpRequest.newBuilder(url)
			.header("Content-Type", "application/json")
			.method(method.name(), BodyPublishers.ofString(body))
			.build(), BodyHandlers.ofString());
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

	@RepositoryRestResource(path = "stored")
	interface OrderRepository extends MongoRepository<Order, String> {

	}

	@RestController
	static class OrderController {

		private final OrderRepository orders;

		OrderController(OrderRepository orders) {
			this.orders = orders;
		}

		@GetMapping("/single/{id}")
		Order single(@PathVariable String id) {
			return order("/" + id);
		}

		@GetMapping("/orders/{*id}")
		Order order(@PathVariable String id) {
			return this.orders.findById(id.replaceFirst("^/", ""))
				.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ RepositoryRestMvcConfiguration.class, OrderController.class })
	@EnableMongoRepositories(considerNestedRepositories = true,
			includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = OrderRepository.class))
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class, HiLoRestAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class,
			DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
			HttpEncodingAutoConfiguration.class, JacksonAutoConfiguration.class,
			HttpMessageConvertersAutoConfiguration.class })
	static class Shop {

	}

}
