package io.github.hilo.internal.actuate;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.fixture.FullApplication;
import io.github.hilo.fixture.ManualTime;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.internal.engine.HiLoEngine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.client.MockMvcWebTestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * {@code /actuator/hilo} as it is read over HTTP.
 */
@Thorough
class HiLoEndpointTests {

	private static final String UNRESTRICTED = "management.endpoint.hilo.access=unrestricted";

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final WebApplicationContextRunner contextRunner = application(new WebApplicationContextRunner());

	private <T extends AbstractApplicationContextRunner<T, ?, ?>> T application(T runner) {
		return runner.withUserConfiguration(FullApplication.class)
			.withInitializer(
					(context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
			.withPropertyValues(this.database.connectionProperties())
			.withPropertyValues("management.endpoints.web.exposure.include=hilo");
	}

	@Test
	void bodyIsAsDocumentedWhateverTheApplicationsJacksonSettings() {
		ManualTime time = new ManualTime();
		FakeRangeStore store = new FakeRangeStore("shop");
		this.contextRunner
			.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE",
					"spring.jackson.default-property-inclusion=always",
					"spring.jackson.datatype.datetime.write-dates-as-timestamps=true")
			.withBean(HiLoEngine.class, () -> EngineSettings.DEFAULTS.engine(store, time))
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				IntStream.range(0, 32).forEach((id) -> generator.nextId("orders"));
				time.advance(Duration.ofSeconds(45));
				IntStream.range(0, 8).forEach((id) -> generator.nextId("orders"));
				assertThat(mvc(context).get().uri("/actuator/hilo").accept(MediaType.APPLICATION_JSON)).hasStatusOk()
					.bodyJson()
					.isStrictlyEqualTo("""
							{
							  "nodeTag": "A",
							  "identityPartsSeparator": "/",
							  "assignIds": "all",
							  "databases": {
							    "shop": {
							      "orders": {
							        "document": "Raven/HiLo/orders",
							        "range": { "min": 33, "max": 64, "last": 40, "remaining": 24,
							            "reservedAt": "2026-01-01T00:00:45Z" },
							        "available": true, "nextSize": 64,
							        "issued": 40, "reserved": 64, "returned": 0, "reservations": 2
							      }
							    }
							  }
							}
							""");
			});
	}

	@Test
	void consecutiveSequenceSaysSoAndHoldsNoRange() {
		this.contextRunner.withPropertyValues("hilo.sequences[ord*].consecutive=true").run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("orders");
			JsonNode orders = sequence(context, "orders");
			assertThat(orders.propertyNames()).containsExactlyInAnyOrder("document", "consecutive", "available",
					"nextSize", "issued", "reserved", "returned", "reservations");
			assertThat(orders.path("consecutive").asBoolean()).isTrue();
			assertThat(orders.path("nextSize").asLong()).isEqualTo(1);
		});
	}

	@Test
	void settingsAreThoseOfTheApplication() {
		this.contextRunner
			.withPropertyValues("hilo.node-tag=", "hilo.sequences[*].identity-parts-separator=:",
					"hilo.assign-ids=annotated")
			.run((context) -> assertThat(mvc(context).get().uri("/actuator/hilo")).hasStatusOk()
				.bodyJson()
				.isStrictlyEqualTo("{ \"nodeTag\": \"\", \"identityPartsSeparator\": \":\","
						+ " \"assignIds\": \"annotated\", \"databases\": {} }"));
	}

	@Test
	void settingsOfOneSequenceAreShownWhereTheyDiffer() {
		this.contextRunner
			.withPropertyValues("hilo.digits=8", "hilo.sequences[I*].digits=1", "hilo.sequences.INV.node-tag=",
					"hilo.sequences[IN*].identity-parts-separator=-", "hilo.sequences.lines.node-tag=A",
					"hilo.sequences.lines.digits=9")
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				Stream.of("INV", "lines", "orders").forEach(generator::nextDocumentId);
				assertThat(read(context, "/actuator/hilo").path("digits").asInt()).isEqualTo(8);
				JsonNode invoices = sequence(context, "INV");
				assertThat(invoices.path("digits").asInt()).isEqualTo(1);
				assertThat(invoices.path("nodeTag").asString()).isEmpty();
				assertThat(invoices.path("identityPartsSeparator").asString()).isEqualTo("-");
				JsonNode lines = sequence(context, "lines");
				assertThat(lines.path("digits").asInt()).isEqualTo(9);
				assertThat(lines.has("nodeTag") || lines.has("identityPartsSeparator")).isFalse();
				assertThat(sequence(context, "orders").has("digits")).isFalse();
			});
	}

	@Test
	void writingIsNotAllowed() {
		this.contextRunner.run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("orders");
			MockMvcTester mvc = mvc(context);
			assertThat(List.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE))
				.allSatisfy((method) -> {
					assertThat(mvc.method(method).uri("/actuator/hilo")).hasStatus(HttpStatus.METHOD_NOT_ALLOWED);
					assertThat(mvc.method(method).uri("/actuator/hilo/orders"))
						.hasStatus(HttpStatus.METHOD_NOT_ALLOWED);
				});
		});
	}

	@Test
	void deletingReturnsEveryUnusedRange() {
		ApplicationDatabase other = new ApplicationDatabase();
		this.contextRunner.withPropertyValues(UNRESTRICTED).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			generator.nextId("orders");
			generator.nextId("eu/orders");
			generator.forDatabase(other.name()).nextId("orders");
			JsonNode databases = delete(context, "/actuator/hilo").path("databases");
			assertThat(databases.propertyNames()).containsExactlyInAnyOrder(this.database.name(), other.name());
			assertThat(databases.path(this.database.name()).path("orders").has("range")).isFalse();
			assertThat(this.database.max("orders")).isEqualTo(1);
			assertThat(this.database.max("eu/orders")).isEqualTo(1);
			assertThat(other.max("orders")).isEqualTo(1);
			assertThat(generator.nextId("orders")).isEqualTo(2);
		});
	}

	@Test
	void failureIsShownUntilItsSequenceIsDeleted() {
		this.database.setCounter("typo", "many");
		this.contextRunner.withPropertyValues(UNRESTRICTED).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			assertThatExceptionOfType(HiLoDocumentException.class).isThrownBy(() -> generator.nextId("typo"));
			delete(context, "/actuator/hilo");
			JsonNode failed = sequence(context, "typo");
			assertThat(failed.path("available").asBoolean(true)).isFalse();
			assertThat(failed.has("range")).isFalse();
			assertThat(failed.path("failure").propertyNames()).containsExactlyInAnyOrder("time", "message");
			assertThat(failed.at("/failure/message").asString()).contains("Raven/HiLo/typo", "malformed");
			assertThat(Instant.parse(failed.at("/failure/time").asString())).isBeforeOrEqualTo(Instant.now());
			delete(context, "/actuator/hilo/typo");
			assertThat(sequence(context, "typo").path("available").asBoolean()).isTrue();
			assertThat(sequence(context, "typo").has("failure")).isFalse();
		});
	}

	@Test
	void postingRaisesTheCounterOfTheDatabaseThatItNames() {
		this.contextRunner.withPropertyValues(UNRESTRICTED).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			generator.nextId("eu/orders");
			WebTestClient client = client(context);
			new Request(200, "POST /eu/orders {'floor': 5000}", "{\"sequence\":\"eu/orders\",\"max\":5000}")
				.check(client);
			assertThat(this.database.max("eu/orders")).isEqualTo(5000);
			assertThat(generator.nextId("eu/orders")).isEqualTo(5001);
			new Request(200, "POST /eu/orders {'floor': 5}", "\"max\":5064").check(client);
			ApplicationDatabase other = new ApplicationDatabase();
			new Request(200, "POST /eu/orders {'floor': 70, 'database': '" + other.name() + "'}", "\"max\":70")
				.check(client);
			assertThat(other.max("eu/orders")).isEqualTo(70);
			assertThat(this.database.max("eu/orders")).isEqualTo(5064);
		});
	}

	/**
	 * On a reactive web server, too, a parameter of the query or the body replaces the
	 * sequence in the path, as Spring Boot has it.
	 */
	@Test
	void operationsWorkOnWebFlux() {
		application(new ReactiveWebApplicationContextRunner()).withPropertyValues(UNRESTRICTED).run((context) -> {
			WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
			context.getBean(HiLoIdGenerator.class).nextId("eu/orders");
			Stream
				.of(new Request(200, "POST /none {'floor': '5000', 'sequence': 'eu/orders'}", "eu/orders", "5000"),
						new Request(200, "GET /none?sequence=eu/orders", "Raven/HiLo/eu/orders"),
						new Request(200, "DELETE /eu/orders", "Raven/HiLo/eu/orders"),
						new Request(404, "GET /none", "error"))
				.forEach((request) -> request.check(client));
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/eu/orders");
		});
	}

	@Test
	void requestThatFailsSaysWhyAndChangesNothing() {
		this.database.setCounter("malformed", "many");
		this.database.setCounter("exhausted", Long.MAX_VALUE);
		this.contextRunner.withPropertyValues(UNRESTRICTED).run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("orders");
			WebTestClient client = client(context);
			assertThat(failures()).allSatisfy((failure) -> failure.check(client));
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/exhausted", "Raven/HiLo/malformed",
					"Raven/HiLo/orders");
			assertThat(this.database.max("orders")).isEqualTo(32);
			assertThat(context.getBean(HiLoEngine.class).snapshot()).containsOnlyKeys(this.database.name());
		});
	}

	private static Stream<Request> failures() {
		String wanted = "a whole number from 1 to 9223370937343148031";
		String unknown = "has not used a sequence of that name and database";
		return Stream.of(new Request(400, "POST /orders {}", "'floor' is missing", wanted),
				new Request(400, "POST /orders {'floor': 0}", "raised to 0", "from 1 to 9223370937343148031"),
				new Request(400, "POST /orders {'floor': '0x10'}", "'floor' is '0x10'", wanted),
				new Request(400, "POST /orders {'floor': '٥'}", "'floor' is '٥'", wanted),
				new Request(400, "POST /orders {'floor': null}", "'floor' is missing", wanted),
				new Request(400, "POST /orders {'floor': '-5'}", "'floor' is '-5'", wanted),
				new Request(400, "POST /orders {'floor': 5.0}", "'floor' is '5.0'", wanted),
				new Request(400, "POST /orders {'floor': ' 5'}", "'floor' is ' 5'", wanted),
				new Request(400, "POST /orders {'floor': 9223372036854775808}", "is '9223372036854775808'", wanted),
				new Request(400, "POST /orders?floor=5&floor=6 {}", "'floor' is '5,6'", wanted),
				new Request(400, "POST /orders {'floor': 5, 'database': ' '}", "The database name is blank"),
				new Request(400, "POST /orders {'floor': 5, 'database': 'a$b'}", "The database name 'a$b'"),
				new Request(400, "POST /" + "x".repeat(990) + " {'floor': 5}", "The sequence name", "1001 bytes"),
				new Request(400, "DELETE /orders?database=a$b", "The database name 'a$b'"),
				new Request(404, "GET /unknown", unknown), new Request(404, "GET /orders/unknown", unknown),
				new Request(404, "GET /order", unknown), new Request(404, "DELETE /unknown", unknown),
				new Request(404, "DELETE /orders?database=unknown", unknown),
				new Request(404, "DELETE ?database=unknown", unknown),
				new Request(409, "POST /malformed {'floor': 5}", "Raven/HiLo/malformed", "malformed"),
				new Request(409, "POST /exhausted {'floor': 1}", "Raven/HiLo/exhausted", "is exhausted",
						String.valueOf(Long.MAX_VALUE)));
	}

	@Test
	void raiseOfUnknownOutcomeSaysSo() {
		this.contextRunner
			.withPropertyValues(UNRESTRICTED, "hilo.timeout=300ms",
					"spring.mongodb.uri=mongodb://localhost:1/shop?serverSelectionTimeoutMS=100")
			.run((context) -> new Request(503, "POST /orders {'floor': 5000}", "'orders'",
					"may not have been raised to 5000", "Repeat the request")
				.check(client(context)));
	}

	@Test
	void operationsWorkOverJmx() {
		String domain = this.database.name();
		this.contextRunner
			.withPropertyValues(UNRESTRICTED, "spring.jmx.enabled=true", "management.endpoints.jmx.domain=" + domain,
					"management.endpoints.jmx.exposure.include=hilo")
			.run((context) -> {
				MBeanServer server = context.getBean(MBeanServer.class);
				ObjectName name = new ObjectName(domain + ":type=Endpoint,name=Hilo");
				String[] path = { "eu", "orders" };
				assertThat(invoke(server, name, "raise", path, 5000, null)).asString().contains("eu/orders", "5000");
				assertThat(this.database.max("eu/orders")).isEqualTo(5000);
				assertThatException().isThrownBy(() -> invoke(server, name, "raise", path, 0, null))
					.withMessageContaining("A counter cannot be raised to 0");
			});
	}

	private static @Nullable Object invoke(MBeanServer server, ObjectName name, String operation,
			@Nullable Object... arguments) throws JMException {
		return server.invoke(name, operation, arguments, new String[0]);
	}

	private JsonNode sequence(AssertableWebApplicationContext context, String name) {
		return read(context, "/actuator/hilo/" + name).path("databases").path(this.database.name()).path(name);
	}

	private static JsonNode delete(AssertableWebApplicationContext context, String uri) {
		return body(mvc(context).delete().uri(uri).exchange());
	}

	private static WebTestClient client(AssertableWebApplicationContext context) {
		return MockMvcWebTestClient.bindToApplicationContext(context).build();
	}

	private static JsonNode read(AssertableWebApplicationContext context, String uri) {
		return body(mvc(context).get().uri(uri).exchange());
	}

	private static JsonNode body(MvcTestResult response) {
		assertThat(response).hasStatusOk();
		return JsonMapper.shared().readTree(response.getResponse().getContentAsByteArray());
	}

	private static MockMvcTester mvc(AssertableWebApplicationContext context) {
		assertThat(context).hasNotFailed();
		return MockMvcTester.from(context);
	}

	/**
	 * A request, and its answer.
	 *
	 * @param request its method, what follows the endpoint's path, and perhaps a body in
	 * which {@code '} stands for quotation marks
	 * @param words that the answer has
	 */
	private record Request(int status, String request, List<String> words) {

		Request(int status, String request, String... words) {
			this(status, request, List.of(words));
		}

		void check(WebTestClient client) {
			String[] parts = this.request.split(" ", 3);
			WebTestClient.RequestBodySpec sent = client.method(HttpMethod.valueOf(parts[0]))
				.uri(URI.create("/actuator/hilo" + parts[1]));
			if (parts.length == 3) {
				sent.contentType(MediaType.APPLICATION_JSON).bodyValue(parts[2].replace('\'', '"'));
			}
			byte[] body = sent.exchange()
				.expectStatus()
				.isEqualTo(this.status)
				.expectBody()
				.returnResult()
				.getResponseBody();
			JsonNode answer = JsonMapper.shared().readTree(Objects.requireNonNull(body));
			assertThat(answer.has("error")).isEqualTo(this.status != 200);
			assertThat(answer.toString()).contains(this.words);
		}

	}

}
