package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.fixture.Docs;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The configuration metadata, and the table of properties in {@code docs/configuring.md}
 * against it.
 */
class ConfigurationMetadataTests {

	private static final String SEQUENCES_ROW = "hilo.sequences.<name>.*";

	private static final String SEQUENCES_PROPERTY = "hilo.sequences";

	private static final Pattern ACTUATOR_PROPERTY = Pattern.compile("management\\.[a-z]+\\.hilo\\.[a-z-]+");

	@Test
	void everyPropertyHasADescriptionThatIsASentence() throws IOException {
		assertThat(properties()).isNotEmpty()
			.allSatisfy((name, property) -> assertThat(property.path("description").asString("")).as(name)
				.matches("[A-Z].*\\."));
	}

	@Test
	void tableHasEveryPropertyWithItsDefaultAndNoOther() throws IOException {
		Map<String, String> documented = new TreeMap<>();
		rows().forEach((row) -> {
			assertThat(row.name()).as("only one row for it").isNotIn(documented.keySet());
			documented.put(row.name().equals(SEQUENCES_ROW) ? SEQUENCES_PROPERTY : row.name(), row.defaultValue());
		});
		Map<String, String> actual = new TreeMap<>();
		properties().forEach((name, property) -> actual.put(name, property.path("defaultValue").asString("")));
		assertThat(documented).isEqualTo(actual);
	}

	@Test
	void everyPropertyOfTheActuatorThatAPageNamesHasADescription() throws IOException {
		Set<String> named = Docs.files(Path.of("..", "docs"), ".md")
			.stream()
			.flatMap((page) -> ACTUATOR_PROPERTY.matcher(Docs.read(page)).results())
			.map(MatchResult::group)
			.collect(Collectors.toSet());
		assertThat(named).contains("management.endpoint.hilo.access", "management.health.hilo.enabled");
		assertThat(propertiesWith("management.")).containsKeys(named.toArray(String[]::new))
			.allSatisfy((name, property) -> assertThat(property.path("description").asString("")).as(name)
				.matches("[A-Z].*\\."));
	}

	private static Map<String, JsonNode> properties() throws IOException {
		return propertiesWith(HiLoProperties.PREFIX + ".");
	}

	private static Map<String, JsonNode> propertiesWith(String prefix) throws IOException {
		Map<String, JsonNode> properties = new TreeMap<>();
		metadata().path("properties").forEach((property) -> {
			String name = property.path("name").asString();
			if (name.startsWith(prefix)) {
				properties.put(name, property);
			}
		});
		return properties;
	}

	private static JsonNode metadata() throws IOException {
		try (InputStream json = new ClassPathResource("META-INF/spring-configuration-metadata.json",
				HiLoProperties.class.getClassLoader())
			.getInputStream()) {
			return JsonMapper.shared().readTree(json);
		}
	}

	private static Stream<Row> rows() {
		return Docs.page("configuring.md")
			.lines()
			.dropWhile((line) -> !line.equals("## Properties"))
			.takeWhile((line) -> !line.startsWith("A wrong value"))
			.filter((line) -> line.startsWith("| `hilo."))
			.map(Row::parse);
	}

	private record Row(String name, String defaultValue) {

		static Row parse(String line) {
			String[] cells = line.split("(?<!\\\\)\\|", -1);
			assertThat(cells).as(line).hasSize(5);
			assertThat(cells[2].strip()).as("default in backticks, in " + line).matches("(`.+`)?");
			return new Row(cells[1].strip().replace("`", ""), cells[2].strip().replace("`", ""));
		}

	}

}
