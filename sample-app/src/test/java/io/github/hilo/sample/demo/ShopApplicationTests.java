package io.github.hilo.sample.demo;

import java.util.List;
import java.util.stream.IntStream;

import com.mongodb.ConnectionString;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Thorough;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@Thorough
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureRestTestClient
class ShopApplicationTests {

	private static final String DATABASE = MongoTestServer.newDatabaseName();

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
	void placesOrdersWithConsecutiveIdsAndShowsTheNewestFirst() {
		long first = numberOf(json("POST /orders", 201)) + 1;
		List<String> placed = ids(json("POST /orders?count=25", 201));
		assertThat(placed).containsExactlyElementsOf(
				IntStream.range(0, 25).mapToObj((index) -> "orders/" + (first + index) + "-A").toList());
		assertThat(ids(json("GET /orders", 200)))
			.containsExactlyElementsOf(IntStream.range(0, 20).mapToObj((index) -> placed.get(24 - index)).toList());
		assertThat(json("GET /orders/" + placed.get(0), 200).path("id").asString()).isEqualTo(placed.get(0));
		send("GET /orders/orders/999999999-A", 404);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, PageController.MAX_COUNT + 1 })
	void refusesCountOutOfBounds(int count) {
		assertThat(json("POST /orders?count=" + count, 400).path("detail").asString())
			.isEqualTo("count must be from 1 to 10000, but is " + count + ".");
	}

	@Test
	void issuesInvoicesWithConsecutiveNumbersAndHoldsNoRange() {
		long first = json("POST /invoices", 201).path("id").asLong();
		assertThat(json("POST /invoices", 201).path("id").asLong()).isEqualTo(first + 1);
		JsonNode invoices = sequence("invoices");
		assertThat(invoices.path("consecutive").asBoolean()).isTrue();
		assertThat(invoices.has("range")).isFalse();
	}

	@Test
	void addsCustomersWithAnObjectIdAndANumber() {
		JsonNode first = json("POST /customers", 201);
		JsonNode second = json("POST /customers", 201);
		assertThat(ObjectId.isValid(second.path("id").asString())).isTrue();
		assertThat(second.path("number").asLong()).isEqualTo(first.path("number").asLong() + 1);
		assertThat(MongoTestServer.client().getDatabase(DATABASE).getCollection("customers").listIndexes())
			.anyMatch((index) -> index.getBoolean("unique", false) && index.getString("name").equals("number"));
	}

	@Test
	void returnsRangesButRaisesNoCounterOverHttp() {
		json("POST /orders", 201);
		assertThat(sequence("orders").has("range")).isTrue();
		send("DELETE /actuator/hilo", 405);
		send("POST /actuator/hilo/orders", 405);
		send("DELETE /ranges", 204);
		assertThat(sequence("orders").has("range")).isFalse();
	}

	@Test
	void saysWhichServerItIsOn() {
		JsonNode node = json("GET /node", 200);
		assertThat(node.path("nodeTag").asString()).isEqualTo("A");
		assertThat(node.path("database").asString()).isEqualTo(DATABASE);
		assertThat(node.path("hosts").valueStream().map(JsonNode::asString))
			.containsExactlyElementsOf(new ConnectionString(MongoTestServer.uri()).getHosts());
		assertThat(node.at("/second/command").asString()).contains("--hilo.node-tag=B", "/" + DATABASE);
	}

	@Test
	void hasAPageAndMetersForPrometheus() {
		json("POST /orders", 201);
		assertThat(send("GET /", 200)).contains("<html");
		assertThat(send("GET /actuator/prometheus", 200)).contains("hilo_ids_issued_total{", "hilo_range_remaining{",
				"hilo_reservation_seconds_count{", "sequence=\"orders\"");
	}

	@ParameterizedTest
	@CsvSource({ "GET,/node", "POST,/orders", "DELETE,/ranges", "GET,/actuator/hilo" })
	void answersPagesOfThisMachineAlone(HttpMethod method, String path) {
		for (String origin : List.of("http://localhost:8081", "http://127.0.0.1:9000", "http://[::1]:8081")) {
			preflight(method, path, origin).expectStatus().isOk().expectHeader().valueEquals(ALLOWED, origin);
		}
		for (String origin : List.of("http://localhost.example.com", "https://example.com", "null",
				"http://localhost:8081.example.com")) {
			preflight(method, path, origin).expectStatus().isForbidden().expectHeader().doesNotExist(ALLOWED);
		}
	}

	private RestTestClient.ResponseSpec preflight(HttpMethod method, String path, String origin) {
		return this.http.options()
			.uri(path)
			.header(HttpHeaders.ORIGIN, origin)
			.header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD, method.name())
			.exchange();
	}

	private JsonNode sequence(String name) {
		return json("GET /actuator/hilo", 200).path("databases").path(DATABASE).path(name);
	}

	private JsonNode json(String request, int status) {
		return JsonMapper.shared().readTree(send(request, status));
	}

	private String send(String request, int status) {
		String[] parts = request.split(" ", 2);
		String body = this.http.method(HttpMethod.valueOf(parts[0]))
			.uri(parts[1])
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		return String.valueOf(body);
	}

	private static List<String> ids(JsonNode orders) {
		return orders.valueStream().map((order) -> order.path("id").asString()).toList();
	}

	private static long numberOf(JsonNode order) {
		return Long.parseLong(order.path("id").asString().replaceAll("\\D", ""));
	}

}
