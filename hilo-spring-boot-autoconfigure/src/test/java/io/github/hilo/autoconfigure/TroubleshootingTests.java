package io.github.hilo.autoconfigure;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.fixture.Docs;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/troubleshooting.md} has each message that needs more than it says itself,
 * as code in the first column of a table, and no message that is gone.
 */
class TroubleshootingTests {

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	@Test
	void everyListedMessageHasARow() {
		assertThat(rows()).containsAll(Docs.read(Path.of("src/test/resources/messages.txt")).lines().toList());
	}

	@Test
	void everyRowIsAboutAMessageThatThereIs() {
		String sources = sources();
		assertThat(rows()).isNotEmpty()
			.doesNotHaveDuplicates()
			.allMatch((row) -> Stream.of(row.split(" *… *")).allMatch(sources::contains));
	}

	private static List<String> rows() {
		return Docs.page("troubleshooting.md")
			.lines()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> CODE.matcher(line.split(" \\| ", 2)[0]).results())
			.map((MatchResult code) -> code.group(1))
			.toList();
	}

	/**
	 * Reads all sources as one line, with the parts of each text put together.
	 */
	private static String sources() {
		return Docs.files(Path.of("src", "main", "java"), ".java")
			.stream()
			.map(Docs::read)
			.collect(Collectors.joining())
			.replaceAll("\"\\s*\\+\\s*\"", "")
			.replaceAll("\\s+", " ");
	}

}
