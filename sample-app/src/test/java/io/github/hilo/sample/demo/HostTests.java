package io.github.hilo.sample.demo;

import java.io.IOException;
import java.net.InetAddress;

import de.bwaldvogel.mongo.MongoServer;
import io.github.hilo.fixture.Thorough;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who can reach the shop.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "sample.data=memory", "sample.allowed-hosts=shop.internal, other.internal" })
@Thorough
class HostTests {

	private final int port;

	HostTests(@LocalServerPort int port) {
		this.port = port;
	}

	@Test
	void shopAndItsServerListenOnThisMachineAlone(@Autowired ServerProperties shop, @Autowired MongoServer server) {
		assertThat(shop.getAddress()).isNotNull().matches(InetAddress::isLoopbackAddress);
		assertThat(server.getLocalAddress().getAddress()).matches(InetAddress::isLoopbackAddress);
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "LocalHost", "127.0.0.1", "[::1]", "shop.internal", "other.internal" })
	void answersToItsOwnNames(String host) throws IOException {
		assertThat(get("/node", host + ":" + this.port)).startsWith("HTTP/1.1 200 ");
		assertThat(get("/node", host)).as("a proxy maps the port").startsWith("HTTP/1.1 200 ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/node", "/orders", "/actuator/hilo", "/nowhere" })
	void answersNobodyElsesName(String path) throws IOException {
		for (String host : new String[] { "rebound.example", "localhost.example", "127.0.0.1.example", "127.0.0.2",
				"internal" }) {
			assertThat(get(path, host + ":" + this.port)).startsWith("HTTP/1.1 421 ")
				.contains("This shop answers requests to ", "shop.internal", ", not to " + host + ".",
						"--sample.allowed-hosts=NAME");
		}
	}

	@Test
	void isShownInNoFrame() throws IOException {
		assertThat(get("/", "localhost")).contains("X-Frame-Options: DENY");
	}

	private String get(String path, String host) throws IOException {
		return Http.get(this.port, path, host);
	}

}
