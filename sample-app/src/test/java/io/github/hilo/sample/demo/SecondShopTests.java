package io.github.hilo.sample.demo;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;

import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.sample.ShopApplication;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The second shop that a shop starts and ends.
 */
@Exhaustive
@ExtendWith(OutputCaptureExtension.class)
class SecondShopTests {

	private final ConfigurableApplicationContext shop = new SpringApplicationBuilder(ShopApplication.class)
		.properties("server.port=0")
		.run("--sample.data=memory");

	private final String address = "http://localhost:"
			+ this.shop.getEnvironment().getRequiredProperty("local.server.port");

	@AfterEach
	void closeShop() {
		this.shop.close();
	}

	@Test
	void sharesTheNumberLineUnderATagOfItsOwn() throws Exception {
		assertThat(send("POST", this.address + "/orders")).contains("orders/1-A");
		String second = start();
		assertThat(send("POST", second + "/orders")).contains("orders/33-B");
		assertThat(send("GET", second + "/node")).contains("\"database\":\"shop\"", "\"startsSecond\":false");
		assertThat(send("GET", this.address + "/counters")).isEqualTo("{\"Raven/HiLo/orders\":64}");
	}

	@Test
	void returnsItsNumbersWhenItIsStopped() throws Exception {
		String second = start();
		send("POST", second + "/orders?count=3");
		send("DELETE", this.address + "/second");
		assertGone(second);
		assertThat(send("GET", this.address + "/counters")).isEqualTo("{\"Raven/HiLo/orders\":3}");
		assertThat(send("POST", this.address + "/orders")).contains("orders/4-A");
	}

	@Test
	void returnsNothingWhenItIsKilled(CapturedOutput output) throws Exception {
		String second = start();
		send("POST", second + "/orders?count=3");
		send("DELETE", this.address + "/second?kill=true");
		assertGone(second);
		assertThat(send("POST", this.address + "/orders")).contains("orders/33-A");
		assertThat(output).doesNotContain("WARN", "ERROR");
	}

	@Test
	void endsWithTheFirstAndBeforeItsServer(CapturedOutput output) throws Exception {
		String second = start();
		send("POST", second + "/orders");
		this.shop.close();
		assertGone(second);
		assertThat(output).as("its numbers could be returned").doesNotContain("WARN", "ERROR");
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://localhost:8081", "https://example.com" })
	void isStartedAndEndedByTheShopsOwnPageAlone(String origin) throws Exception {
		assertThat(request("POST", this.address + "/second", origin).statusCode()).isEqualTo(403);
		assertThat(request("DELETE", this.address + "/second", origin).statusCode()).isEqualTo(403);
		assertThat(this.shop.getBean(SecondShop.class).address()).isNull();
		assertThat(request("POST", this.address + "/second", this.address).statusCode()).isEqualTo(201);
	}

	private String start() throws IOException, InterruptedException {
		assertThat(request("POST", this.address + "/second", null).statusCode()).isEqualTo(201);
		return Objects.requireNonNull(this.shop.getBean(SecondShop.class).address());
	}

	private static void assertGone(String shop) {
		assertThatExceptionOfType(ConnectException.class)
			.isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), URI.create(shop).getPort()).close());
	}

	private static String send(String method, String uri) throws IOException, InterruptedException {
		HttpResponse<String> response = request(method, uri, null);
		assertThat(response.statusCode()).as("%s %s: %s", method, uri, response.body()).isBetween(200, 299);
		return response.body();
	}

	private static HttpResponse<String> request(String method, String uri, @Nullable String origin)
			throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri)).method(method, BodyPublishers.noBody());
		if (origin != null) {
			request.header("Origin", origin);
		}
		return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
	}

}
