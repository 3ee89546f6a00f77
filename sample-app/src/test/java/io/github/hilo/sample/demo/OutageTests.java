package io.github.hilo.sample.demo;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.sample.ShopApplication;
import org.bson.Document;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.mongodb.core.MongoOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients get while MongoDB fails: a status, a sentence of the shop's own, and in
 * time.
 */
@Exhaustive
class OutageTests {

	private static final List<String> REQUESTS = List.of("POST /orders", "POST /orders?count=2", "POST /invoices",
			"POST /customers", "GET /orders/orders/1-A", "GET /counters");

	/** Four operations of 5 s each, the most that one request has. */
	private static final Duration BOUND = Duration.ofSeconds(20);

	@Test
	void shopStartsWhileMongoIsDownAndSaysSo() throws Exception {
		int port;
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = socket.getLocalPort();
		}
		try (ConfigurableApplicationContext shop = start(
				"mongodb://ada:s3cret@127.0.0.1:" + port + "/shop?serverSelectionTimeoutMS=500")) {
			for (String request : REQUESTS) {
				assertRefused(shop, request, "MongoDB refuses connections" + ofTheNumber(request, "count"));
			}
			assertThat(send(shop, "GET /").statusCode()).isEqualTo(200);
			assertThat(send(shop, "GET /actuator/health").body()).doesNotContain("127.0.0.1", "ada", "Exception");
		}
	}

	@Test
	void requestEndsInTimeWhileMongoIsFrozen() throws Exception {
		CountDownLatch thaw = new CountDownLatch(1);
		boolean[] frozen = new boolean[1];
		MemoryBackend memory = new MemoryBackend();
		MongoBackend backend = (MongoBackend) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { MongoBackend.class }, (proxy, method, arguments) -> {
					if (frozen[0]) {
						thaw.await();
					}
					return method.invoke(memory, arguments);
				});
		MongoServer server = new MongoServer(backend);
		InetSocketAddress address = server.bind();
		try (ConfigurableApplicationContext shop = start("mongodb://127.0.0.1:" + address.getPort() + "/shop")) {
			assertThat(send(shop, "POST /orders").statusCode()).isEqualTo(201);
			frozen[0] = true;
			for (String request : REQUESTS) {
				assertRefused(shop, request, "MongoDB does not answer" + ofTheNumber(request, "orders"));
			}
			frozen[0] = false;
			thaw.countDown();
		}
		finally {
			server.shutdownNow();
		}
	}

	@Test
	void counterThatCannotBeUsedIsNoErrorOfTheShop() throws Exception {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory")) {
			shop.getBean(MongoOperations.class)
				.getCollection("@hilo")
				.insertOne(new Document("_id", "Raven/HiLo/orders").append("Max", "many"));
			assertRefused(shop, "POST /orders", "A counter in MongoDB cannot be used");
			assertThat(send(shop, "GET /counters").body()).as("one that is no number").isEqualTo("{}");
			assertThat(shop.getBean(HiLoIdGenerator.class).nextId("customers")).isEqualTo(1);
		}
	}

	private static String ofTheNumber(String request, String hasOne) {
		return !request.startsWith("POST") ? ""
				: request.contains(hasOne) ? ", so a number may be lost" : ", so no number was issued";
	}

	private static void assertRefused(ConfigurableApplicationContext shop, String request, String reason)
			throws IOException, InterruptedException {
		HttpResponse<String> response = send(shop, request);
		assertThat(response.statusCode()).as("%s: %s", request, response.body()).isEqualTo(503);
		assertThat(response.body()).as(request)
			.contains("\"detail\":\"" + reason + "\"")
			.doesNotContain("127.0.0.1", "ada", "s3cret", "Exception", "shop'", "trace");
	}

	private static HttpResponse<String> send(ConfigurableApplicationContext shop, String request)
			throws IOException, InterruptedException {
		int space = request.indexOf(' ');
		String port = shop.getEnvironment().getRequiredProperty("local.server.port");
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + request.substring(space + 1)))
				.method(request.substring(0, space), BodyPublishers.noBody())
				.timeout(BOUND)
				.build(), BodyHandlers.ofString());
	}

	private static ConfigurableApplicationContext start(String server) {
		String option = server.startsWith("--") ? server : "--spring.mongodb.uri=" + server;
		return new SpringApplicationBuilder(ShopApplication.class).properties("server.port=0").run(option);
	}

}
