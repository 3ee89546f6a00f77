package io.github.hilo.shop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The code in {@code docs/testing.md} against the tests of this package.
 */
class TestingGuideTests {

	@ParameterizedTest
	@MethodSource("snippets")
	void snippetIsCodeThatIsCompiledAndRun(String snippet) throws IOException {
		Snippets.assertIsInThisPackage(snippet);
	}

	@Test
	void everyKindOfTestHasItsSnippet() {
		assertThat(String.join("\n", snippets())).contains("class OrderServiceTests", "class OrderRepositoryTests",
				"class PredictableIdsTests", "MongoMappingContext mappings", "class PredictableReactiveIdsTests",
				"class OrderRepositoryContainerTests", "class MockedIdsTests");
	}

	static List<String> snippets() {
		return Snippets.of(Path.of("..", "docs", "testing.md"));
	}

}
