package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/troubleshooting.md} has each message that needs more than it says itself,
 * as code in the first column of a table, and no message that is gone.
 */
class TroubleshootingTests {

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	@Test
	void everyListedMessageHasARow() throws IOException {
		assertThat(rows()).containsAll(Files.readAllLines(Path.of("src/test/resources/messages.txt")));
	}

	@Test
	void everyRowIsAboutAMessageThatThereIs() throws IOException {
		String sources = sources();
		assertThat(rows()).isNotEmpty()
			.doesNotHaveDuplicates()
			.allMatch((row) -> Stream.of(row.split(" *… *")).allMatch(sources::contains));
	}

	private static List<String> rows() throws IOException {
		return Files.readAllLines(Path.of("..", "docs", "troubleshooting.md"))
			.stream()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> CODE.matcher(line.split(" \\| ", 2)[0]).results())
			.map((MatchResult code) -> code.group(1))
			.toList();
	}

	/**
	 * Reads all sources as one line, with the parts of each text put together.
	 */
	private static String sources() throws IOException {
		StringBuilder sources = new StringBuilder();
		try (Stream<Path> files = Files.walk(Path.of("src", "main", "java")).filter(Files::isRegularFile)) {
			for (Path file : files.toList()) {
				sources.append(Files.readString(file));
			}
		}
		return sources.toString().replaceAll("\"\\s*\\+\\s*\"", "").replaceAll("\\s+", " ");
	}

}
