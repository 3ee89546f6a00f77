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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code in {@code docs/testing.md} against the tests of this package.
 */
class TestingGuideTests {

	private static final Path GUIDE = Path.of("..", "docs", "testing.md");

	private static final Path TESTS = Path.of("src", "test", "java", "io", "github", "hilo", "shop");

	private static final Pattern SNIPPET = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

	@ParameterizedTest
	@MethodSource("snippets")
	void snippetIsCodeThatIsCompiledAndRun(String snippet) throws IOException {
		try (Stream<Path> sources = Files.list(TESTS)) {
			assertThat(sources).anySatisfy((source) -> assertThat(withoutIndentation(read(source))).contains(snippet));
		}
	}

	@Test
	void everyKindOfTestHasItsSnippet() throws IOException {
		assertThat(String.join("\n", snippets().toList())).contains("class OrderServiceTests",
				"class OrderRepositoryTests", "class PredictableIdsTests", "MongoMappingContext mappings",
				"class OrderRepositoryContainerTests", "class MockedIdsTests");
	}

	static Stream<String> snippets() throws IOException {
		List<String> snippets = SNIPPET.matcher(Files.readString(GUIDE))
			.results()
			.map((MatchResult snippet) -> withoutIndentation(snippet.group(1)))
			.toList();
		return snippets.stream();
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
