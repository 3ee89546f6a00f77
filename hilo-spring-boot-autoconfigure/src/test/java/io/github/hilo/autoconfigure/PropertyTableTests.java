package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of properties in {@code docs/configuring.md} against the configuration
 * metadata.
 */
class PropertyTableTests {

	private static final String SEQUENCES_ROW = "hilo.sequences.<name>.*";

	private static final String SEQUENCES_PROPERTY = "hilo.sequences";

	@Test
	void tableHasEveryPropertyWithItsDefaultAndNoOther() throws IOException {
		Map<String, String> documented = new TreeMap<>();
		rows().forEach((row) -> {
			assertThat(row.name()).as("only one row for it").isNotIn(documented.keySet());
			documented.put(row.name().equals(SEQUENCES_ROW) ? SEQUENCES_PROPERTY : row.name(), row.defaultValue());
		});
		Map<String, String> actual = new TreeMap<>();
		ConfigurationMetadataTests.properties()
			.forEach((name, property) -> actual.put(name, property.path("defaultValue").asString("")));
		assertThat(documented).isEqualTo(actual);
	}

	@Test
	void everyRowSaysWhatThePropertyMeans() throws IOException {
		assertThat(rows()).isNotEmpty().allSatisfy((row) -> assertThat(row.meaning()).as(row.name()).isNotBlank());
	}

	private static Stream<Row> rows() throws IOException {
		return Files.readAllLines(Path.of("..", "docs", "configuring.md"))
			.stream()
			.dropWhile((line) -> !line.equals("## Properties"))
			.takeWhile((line) -> !line.startsWith("A wrong value"))
			.filter((line) -> line.startsWith("| `hilo."))
			.map(Row::parse);
	}

	private record Row(String name, String defaultValue, String meaning) {

		static Row parse(String line) {
			String[] cells = line.split("(?<!\\\\)\\|", -1);
			assertThat(cells).as(line).hasSize(5);
			assertThat(cells[2].strip()).as("default in backticks, in " + line).matches("(`.+`)?");
			return new Row(cells[1].strip().replace("`", ""), cells[2].strip().replace("`", ""), cells[3].strip());
		}

	}

}
