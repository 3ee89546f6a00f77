package io.github.hilo.sample.demo;

import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shop's jar on the bean definitions that {@code process-aot} generated, instead of
 * those that the JVM would find at start-up.
 */
class AotModeIT {

	/**
	 * A JVM may take long on a machine that has other things to do.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	@Test
	void idsAndEndpointAreAsWithoutAotAndPropertiesAreReadAtTheStart(@TempDir Path directory) throws Exception {
		String address = "http://localhost:" + freePort();
		Path log = directory.resolve("log");
		Process shop = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dspring.aot.enabled=true", "-jar", Path.of("target", "sample-app.jar").toString(),
				"--sample.data=memory", "--hilo.node-tag=B", "--server.port=" + URI.create(address).getPort())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.ignoreExceptions()
				.until(() -> send("GET", address + "/node").contains("\"nodeTag\":\"B\""));
			assertThat(send("POST", address + "/orders?count=2")).contains("orders/1-B", "orders/2-B");
			assertThat(send("GET", address + "/orders/orders/1-B")).contains("orders/1-B");
			assertThat(send("POST", address + "/invoices")).contains("\"id\":1,");
			assertThat(send("POST", address + "/customers")).contains("\"number\":1,");
			assertThat(send("GET", address + "/actuator/hilo")).contains("\"nodeTag\":\"B\"", "Raven/HiLo/orders",
					"\"last\":2,");
			assertThat(send("GET", address + "/actuator/hilo/none")).contains("{\"error\":");
			assertThat(log).content().contains("Starting AOT-processed ShopApplication");
		}
		finally {
			shop.destroy();
		}
		assertThat(shop.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(shop.exitValue()).as("128 and SIGTERM").isEqualTo(143);
	}

	private static String send(String method, String uri) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(uri))
			.method(method, BodyPublishers.noBody())
			.timeout(PATIENCE)
			.build();
		return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
	}

	private static int freePort() throws Exception {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
