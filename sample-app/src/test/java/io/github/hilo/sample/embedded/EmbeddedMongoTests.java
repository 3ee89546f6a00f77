package io.github.hilo.sample.embedded;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

import com.mongodb.ConnectionString;
import de.bwaldvogel.mongo.MongoServer;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.sample.ShopApplication;
import io.github.hilo.sample.shop.Order;
import io.github.hilo.sample.shop.OrderRepository;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

@Thorough
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedMongoTests {

	private final Path directory;

	EmbeddedMongoTests(@TempDir Path directory) {
		this.directory = directory;
	}

	@Test
	void dataInMemoryEndsWithTheShop() {
		for (int run = 1; run <= 2; run++) {
			try (ConfigurableApplicationContext shop = start("--sample.data=memory")) {
				assertThat(place(shop, 1)).containsExactly("orders/1-A");
			}
		}
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void idsGoOnAfterRestartOnTheSameFile() {
		String data = "--sample.data=" + this.directory.resolve("new/shop.db");
		try (ConfigurableApplicationContext shop = start(data)) {
			assertThat(place(shop, 3)).containsExactly("orders/1-A", "orders/2-A", "orders/3-A");
		}
		try (ConfigurableApplicationContext shop = start(data)) {
			assertThat(counterOf(shop, "orders")).as("unused numbers went back before the server stopped").isEqualTo(3);
			assertThat(place(shop, 1)).containsExactly("orders/4-A");
			assertThat(shop.getBean(OrderRepository.class).count()).isEqualTo(4);
		}
	}

	@Test
	void secondShopOnTheSameServerIsHealthyAndLeavesNoErrorInTheLogOfTheFirst(CapturedOutput output) {
		try (ConfigurableApplicationContext shop = start("--sample.data=memory");
				ConfigurableApplicationContext second = start("--hilo.node-tag=B",
						"--spring.mongodb.uri=" + shop.getBean(MongoServer.class).getConnectionString() + "/shop")) {
			assertThat(place(shop, 1)).containsExactly("orders/1-A");
			assertThat(place(second, 1)).containsExactly("orders/33-B");
			assertThat(second.getBean(HealthEndpoint.class).health().getStatus()).isEqualTo(Status.UP);
			assertThat(shop.getBean(HealthEndpoint.class).health().getStatus()).isEqualTo(Status.UP);
			assertThat(output).doesNotContain("ERROR", "WARN");
		}
	}

	@Test
	void secondShopOnTheSameFileFailsWithAdvice(CapturedOutput output) {
		Path file = this.directory.resolve("shop.db");
		try (ConfigurableApplicationContext shop = start("--sample.data=" + file)) {
			assertThatException().isThrownBy(() -> start("--sample.data=" + file));
			assertThat(output).contains("APPLICATION FAILED TO START",
					"The data file " + file + " cannot be used: another process has it open.", "Stop the other shop",
					"--sample.data=FILE", "--sample.data=memory", "--spring.mongodb.uri=");
			assertThat(place(shop, 1)).containsExactly("orders/1-A");
		}
	}

	/** A container is such a bean, too. */
	@Test
	void serverThatAnotherBeanSpeaksForIsUsedInstead() {
		String database = MongoTestServer.newDatabaseName();
		Path file = this.directory.resolve("shop.db");
		try (ConfigurableApplicationContext shop = new SpringApplicationBuilder(ShopApplication.class,
				OtherServer.class)
			.run("--server.port=0", "--sample.data=" + file, "--spring.mongodb.database=" + database)) {
			assertThat(shop.getBeanNamesForType(MongoServer.class)).isEmpty();
			assertThat(place(shop, 1)).containsExactly("orders/1-A");
			assertThat(MongoTestServer.client().getDatabase(database).getCollection("orders").countDocuments())
				.isEqualTo(1);
		}
		assertThat(file).doesNotExist();
	}

	@Test
	void databaseOfTheUriIsUsedAndShopWhereItNamesNone() {
		String database = MongoTestServer.newDatabaseName();
		ConnectionString server = new ConnectionString(MongoTestServer.uri());
		String hosts = "mongodb://" + String.join(",", server.getHosts());
		try (ConfigurableApplicationContext shop = start("--spring.mongodb.uri=" + hosts + "/" + database)) {
			assertThat(databaseOf(shop)).isEqualTo(database);
		}
		try (ConfigurableApplicationContext shop = start("--spring.mongodb.uri=" + hosts)) {
			assertThat(databaseOf(shop)).isEqualTo("shop");
		}
	}

	private static String databaseOf(ConfigurableApplicationContext shop) {
		return shop.getBean(MongoDatabaseFactory.class).getMongoDatabase().getName();
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(ShopApplication.class).properties("server.port=0").run(arguments);
	}

	private static List<String> place(ConfigurableApplicationContext shop, int count) {
		return shop.getBean(OrderRepository.class)
			.saveAll(Collections.nCopies(count, new Order(null, Instant.now())))
			.stream()
			.map((order) -> String.valueOf(order.id()))
			.toList();
	}

	private static long counterOf(ConfigurableApplicationContext shop, String sequence) {
		Document counter = shop.getBean(MongoOperations.class)
			.findById("Raven/HiLo/" + sequence, Document.class, "@hilo");
		assertThat(counter).isNotNull();
		return counter.getLong("Max");
	}

	static class OtherServer {

		@Bean
		MongoConnectionDetails otherServer() {
			return () -> new ConnectionString(MongoTestServer.uri());
		}

	}

}
