package io.github.hilo.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Java code in the documentation, which is compiled and run as part of this package.
 */
final class Snippets {

	private static final Path SOURCES = Path.of("src", "test", "java", "io", "github", "hilo", "shop");

	private static final Pattern SNIPPET = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

	private Snippets() {
	}

	static List<String> of(Path page) {
		return SNIPPET.matcher(read(page))
			.results()
			.map((MatchResult snippet) -> withoutIndentation(snippet.group(1)))
			.toList();
	}

	static void assertIsInThisPackage(String snippet) throws IOException {
		try (Stream<Path> sources = Files.list(SOURCES)) {
			assertThat(sources).anySatisfy((source) -> assertThat(withoutIndentation(read(source))).contains(snippet));
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String withoutIndentation(String code) {
		return code.lines().map(String::strip).filter((line) -> !line.isEmpty()).collect(Collectors.joining("\n"));
	}

}
