package io.github.hilo.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.data.mongodb.core.MongoTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first minutes with the README.
 */
@OnTestServer
@DataMongoTest(properties = "spring.application.name=readme")
class ReadmeTests {

	private static final Path ROOT = Path.of("..");

	private static final Path README = ROOT.resolve("README.md");

	@Test
	void firstIdIsAsPromised(@Autowired MongoTemplate template) {
		// @formatter:off
		Order saved = template.insert(new Order(null, "Ada"));    // saved.id() is "orders/1-A"
		// @formatter:on
		assertThat(saved.id()).isEqualTo("orders/1-A");
	}

	@Test
	void commandsForAFreshMachineAreThoseOfTheSampleAndOfTheBuild() throws IOException {
		List<String> commands = Files.readAllLines(README).stream().filter((line) -> line.startsWith("mvn ")).toList();
		assertThat(commands).hasSize(2);
		assertThat(Files.readAllLines(ROOT.resolve(Path.of("docs", "sample.md")))).contains(commands.get(0));
		assertThat(Files.readAllLines(ROOT.resolve(Path.of(".ci", "run"))))
			.contains(commands.get(1).replaceFirst("^mvn ", "mvn -B -ntp "));
	}

	@Test
	void isReadInThreeMinutes() throws IOException {
		assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(140);
		assertThat(Files.readString(README).split("]\\(", -1)).as("links").hasSizeLessThanOrEqualTo(31);
	}

}
