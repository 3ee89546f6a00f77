package io.github.hilo.sample.demo;

import java.nio.file.Path;

import com.mongodb.ConnectionString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SecondNodeTests {

	private static final ConnectionString SERVER = new ConnectionString("mongodb://127.0.0.1:4711");

	@Test
	void takesNextPortNextTagAndTheSameDatabase() {
		assertThat(SecondNode.beside(8080, "A", SERVER, "shop")).isEqualTo(new SecondNode("http://localhost:8081",
				"mvn -pl sample-app -am spring-boot:run -Dspring-boot.run.arguments=\"--server.port=8081"
						+ " --hilo.node-tag=B --spring.mongodb.uri=mongodb://127.0.0.1:4711/shop\"",
				true));
	}

	@Test
	void startsTheJarWhereThisShopRunsFromOne() {
		assertThat(SecondNode.command(Path.of("sample-app.jar"), "--server.port=1"))
			.isEqualTo("java -jar \"sample-app.jar\" --server.port=1");
	}

	@ParameterizedTest
	@CsvSource({ "A,B", "B,C", "Z,B", "a,B", "'',B", "east,B" })
	void tagDiffersFromTheRunningOne(String tag, String next) {
		assertThat(SecondNode.beside(8080, tag, SERVER, "shop").command()).contains("--hilo.node-tag=" + next + " ");
	}

	@Test
	void highestPortHasNoNext() {
		assertThat(SecondNode.beside(65535, "A", SERVER, "shop").address()).isEqualTo("http://localhost:65534");
	}

	@ParameterizedTest
	@ValueSource(strings = { "mongodb://ada:s3cret@one:27017,two:27018/shop?replicaSet=rs0&authSource=admin",
			"mongodb://ada:s3cret@one:27017,two:27018/shop", "mongodb://one:27017,two:27018/?authMechanism=MONGODB-AWS"
					+ "&authMechanismProperties=AWS_SESSION_TOKEN:s3cret" })
	void leavesOutUserPasswordAndOptionsAndSaysSo(String uri) {
		SecondNode second = SecondNode.beside(8080, "A", new ConnectionString(uri), "shop");
		assertThat(second.command()).contains("--spring.mongodb.uri=mongodb://one:27017,two:27018/shop\"")
			.doesNotContain("ada", "s3cret", "?");
		assertThat(second.complete()).isFalse();
	}

	@Test
	void keepsTheSchemeOfAServerFoundByName() {
		ConnectionString server = new ConnectionString("mongodb+srv://cluster.example.com");
		assertThat(SecondNode.beside(8080, "A", server, "shop").command())
			.contains("--spring.mongodb.uri=mongodb+srv://cluster.example.com/shop\"");
	}

}
