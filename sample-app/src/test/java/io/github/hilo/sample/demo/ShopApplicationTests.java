package io.github.hilo.sample.demo;

import java.util.List;
import java.util.stream.IntStream;

import com.mongodb.ConnectionString;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.sample.shop.Customer;
import io.github.hilo.sample.shop.Invoice;
import io.github.hilo.sample.shop.Order;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@Thorough
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureRestTestClient
class ShopApplicationTests {

	private static final String DATABASE = MongoTestServer.newDatabaseName();

	private static final ParameterizedTypeReference<List<Order>> ORDERS = new ParameterizedTypeReference<>() {
	};

	private static final String ALLOWED = HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN;

	private final RestTestClient http;

	@Autowired
	ShopApplicationTests(RestTestClient http) {
		this.http = http;
	}

	@DynamicPropertySource
	static void useTestServer(DynamicPropertyRegistry properties) {
		properties.add("spring.mongodb.uri", MongoTestServer::uri);
		properties.add("spring.mongodb.database", () -> DATABASE);
	}

	@AfterAll
	static void dropDatabase() {
		MongoTestServer.client().getDatabase(DATABASE).drop();
	}

	@Test
	void placesOrder() {
		this.http.post()
			.uri("/orders")
			.exchange()
			.expectStatus()
			.isCreated()
			.expectBody()
			.jsonPath("$.id")
			.value(String.class, (id) -> assertThat(id).matches("orders/[1-9]\\d*-A"));
	}

	@Test
	void placesSeveralOrdersWithConsecutiveIds() {
		List<Order> placed = place(3);
		long first = numberOf(placed.get(0));
		assertThat(placed).extracting(Order::id)
			.containsExactly("orders/" + first + "-A", "orders/" + (first + 1) + "-A", "orders/" + (first + 2) + "-A");
	}

	@Test
	void placesAsManyOrdersAsAreAllowed() {
		assertThat(place(PageController.MAX_COUNT)).extracting(Order::id)
			.doesNotContainNull()
			.doesNotHaveDuplicates()
			.hasSize(PageController.MAX_COUNT);
	}

	@ParameterizedTest
	@ValueSource(ints = { Integer.MIN_VALUE, -1, 0, PageController.MAX_COUNT + 1 })
	void refusesCountOutOfBounds(int count) {
		this.http.post()
			.uri("/orders?count=" + count)
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("count must be from 1 to 10000, but is " + count + ".");
	}

	@Test
	void refusesCountThatIsNoNumber() {
		this.http.post()
			.uri("/orders?count=many")
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("Failed to convert 'count' with value: 'many'");
	}

	@Test
	void listsNewestOrdersFirst() {
		List<Order> placed = place(25);
		List<Order> newest = IntStream.range(0, 20).mapToObj((index) -> placed.get(24 - index)).toList();
		this.http.get().uri("/orders").exchange().expectStatus().isOk().expectBody(ORDERS).isEqualTo(newest);
	}

	@Test
	void showsOrder() {
		Order order = place(1).get(0);
		this.http.get()
			.uri("/orders/" + order.id())
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.id")
			.isEqualTo(String.valueOf(order.id()));
	}

	@Test
	void doesNotFindUnknownOrder() {
		this.http.get().uri("/orders/orders/999999999-A").exchange().expectStatus().isNotFound();
	}

	@Test
	void issuesInvoicesWithConsecutiveNumbers() {
		Invoice first = issue();
		assertThat(first.id()).isPositive();
		assertThat(issue().id()).isEqualTo(first.id() + 1);
	}

	@Test
	void invoicesHoldNoRange() {
		issue();
		this.http.get()
			.uri("/actuator/hilo/invoices")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.databases['" + DATABASE + "'].invoices.consecutive")
			.isEqualTo(true)
			.jsonPath("$.databases['" + DATABASE + "'].invoices.range")
			.doesNotExist();
	}

	@Test
	void addsCustomersWithAnObjectIdAndANumber() {
		Customer first = add();
		Customer second = add();
		assertThat(List.of(first, second)).allMatch((customer) -> ObjectId.isValid(customer.id()));
		assertThat(first.number()).isNotNull().isPositive();
		assertThat(second.number()).isEqualTo(first.number() + 1);
		assertThat(MongoTestServer.client().getDatabase(DATABASE).getCollection("customers").listIndexes())
			.anyMatch((index) -> index.getBoolean("unique", false) && index.getString("name").equals("number"));
	}

	@Test
	void showsLiveRanges() {
		place(1);
		this.http.get()
			.uri("/actuator/hilo")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.databases['" + DATABASE + "'].orders.document")
			.isEqualTo("Raven/HiLo/orders");
	}

	@Test
	void givesRangesBack() {
		place(1);
		this.http.delete().uri("/ranges").exchange().expectStatus().isNoContent();
		this.http.get()
			.uri("/actuator/hilo")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.databases['" + DATABASE + "'].orders.range")
			.doesNotExist();
	}

	@Test
	void raisesNoCounterOverHttp() {
		this.http.post()
			.uri("/actuator/hilo/orders")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{\"floor\": 1000000}")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.METHOD_NOT_ALLOWED);
		this.http.delete().uri("/actuator/hilo").exchange().expectStatus().isEqualTo(HttpStatus.METHOD_NOT_ALLOWED);
	}

	@Test
	void saysWhichServerItIsOn() {
		this.http.get()
			.uri("/node")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.nodeTag")
			.isEqualTo("A")
			.jsonPath("$.database")
			.isEqualTo(DATABASE)
			.jsonPath("$.hosts")
			.isEqualTo(new ConnectionString(MongoTestServer.uri()).getHosts())
			.jsonPath("$.second.command")
			.value(String.class, (command) -> assertThat(command).contains("--hilo.node-tag=B", "/" + DATABASE));
	}

	@Test
	void hasMetersForPrometheus() {
		place(1);
		this.http.get()
			.uri("/actuator/prometheus")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.value((meters) -> assertThat(meters).contains("hilo_ids_issued_total{", "hilo_range_remaining{",
					"hilo_reservation_seconds_count{", "sequence=\"orders\""));
	}

	@Test
	void hasAPage() {
		this.http.get()
			.uri("/")
			.accept(MediaType.TEXT_HTML)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.TEXT_HTML);
	}

	@ParameterizedTest
	@CsvSource({ "GET,/node", "GET,/orders", "POST,/orders", "POST,/invoices", "POST,/customers", "DELETE,/ranges",
			"GET,/actuator/hilo" })
	void answersPagesOfThisMachineAlone(HttpMethod method, String path) {
		for (String origin : List.of("http://localhost:8081", "http://127.0.0.1:9000", "http://[::1]:8081",
				"http://localhost")) {
			preflight(method, path, origin).expectStatus().isOk().expectHeader().valueEquals(ALLOWED, origin);
		}
		for (String origin : List.of("http://localhost.example.com", "https://example.com", "null",
				"http://localhost:8081.example.com")) {
			preflight(method, path, origin).expectStatus().isForbidden().expectHeader().doesNotExist(ALLOWED);
			this.http.method(method)
				.uri(path)
				.header(HttpHeaders.ORIGIN, origin)
				.exchange()
				.expectStatus()
				.isForbidden();
		}
	}

	private RestTestClient.ResponseSpec preflight(HttpMethod method, String path, String origin) {
		return this.http.options()
			.uri(path)
			.header(HttpHeaders.ORIGIN, origin)
			.header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD, method.name())
			.exchange();
	}

	private List<Order> place(int count) {
		List<Order> placed = this.http.post()
			.uri("/orders?count=" + count)
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CREATED)
			.expectBody(ORDERS)
			.returnResult()
			.getResponseBody();
		assertThat(placed).isNotNull();
		return placed;
	}

	private Customer add() {
		Customer added = this.http.post()
			.uri("/customers")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CREATED)
			.expectBody(Customer.class)
			.returnResult()
			.getResponseBody();
		assertThat(added).isNotNull();
		return added;
	}

	private Invoice issue() {
		Invoice issued = this.http.post()
			.uri("/invoices")
			.exchange()
			.expectStatus()
			.isEqualTo(HttpStatus.CREATED)
			.expectBody(Invoice.class)
			.returnResult()
			.getResponseBody();
		assertThat(issued).isNotNull();
		return issued;
	}

	private static long numberOf(Order order) {
		return Long.parseLong(String.valueOf(order.id()).replaceAll("\\D", ""));
	}

}
