package io.github.hilo.autoconfigure;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.fixture.Docs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java code in the documentation is code of a test, apart from comments and white
 * space.
 */
class DocumentationCodeTests {

	private static final Pattern SNIPPET = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

	private static final List<String> TESTS = tests();

	@ParameterizedTest
	@MethodSource("snippets")
	void snippetIsCodeOfATest(String snippet) {
		assertThat(code(snippet)).isNotEmpty();
		assertThat(TESTS.stream().anyMatch((test) -> test.contains(code(snippet)))).isTrue();
	}

	@Test
	void codeIsComparedWithoutCommentsAndWhiteSpace() {
		assertThat(code("int a = 1;    // one\n\n\treturn a;\n")).isEqualTo("inta=1;returna;");
	}

	static Stream<String> snippets() {
		return DocumentationLinkTests.documents()
			.flatMap((page) -> SNIPPET.matcher(Docs.read(page)).results().map((snippet) -> snippet.group(1)));
	}

	private static List<String> tests() {
		return Docs.files(Path.of("src/test/java"), ".java").stream().map((file) -> code(Docs.read(file))).toList();
	}

	private static String code(String source) {
		return source.lines()
			.map((line) -> line.replaceFirst("//.*", ""))
			.collect(Collectors.joining())
			.replaceAll("\\s", "");
	}

}
