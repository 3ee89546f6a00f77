package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.fixture.Docs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every link between the documents leads somewhere, and the README and {@code llms.txt}
 * lead to each page.
 */
class DocumentationLinkTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```$");

	private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)|(?m)^\\[[^]]+]: (\\S+)");

	private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

	private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");

	@ParameterizedTest
	@MethodSource("documents")
	void everyLinkLeadsToAFileAndToAHeadingInIt(Path document) throws IOException {
		assertThat(linksOf(document)).allSatisfy((link) -> {
			String[] parts = link.split("#", 2);
			Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
			assertThat(target).exists().startsWith(ROOT);
			if (parts.length == 2) {
				assertThat(anchorsOf(target)).contains(parts[1]);
			}
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "README.md", "llms.txt" })
	void leadsToEveryPage(String overview) throws IOException {
		Set<Path> linked = linksOf(ROOT.resolve(overview)).map((link) -> ROOT.resolve(link.split("#", 2)[0]))
			.collect(Collectors.toSet());
		assertThat(documents().filter((document) -> !document.endsWith("README.md") && !document.endsWith(overview)))
			.hasSizeGreaterThan(15)
			.allMatch(linked::contains);
	}

	static Stream<Path> documents() {
		return Stream.concat(Stream.of(ROOT.resolve("llms.txt")),
				Stream.of("", "docs", "benchmarks", ".ci")
					.map(ROOT::resolve)
					.flatMap(DocumentationLinkTests::markdownIn));
	}

	private static Stream<Path> markdownIn(Path directory) {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> file.toString().endsWith(".md")).sorted().toList().stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<String> linksOf(Path document) throws IOException {
		return LINK.matcher(CODE.matcher(prose(document)).replaceAll("code"))
			.results()
			.map((MatchResult match) -> (match.group(1) != null) ? match.group(1) : match.group(2))
			.filter((link) -> !ELSEWHERE.matcher(link).matches());
	}

	private static Set<String> anchorsOf(Path document) {
		Map<String, Integer> seen = new HashMap<>();
		Set<String> anchors = new LinkedHashSet<>();
		HEADING.matcher(prose(document)).results().map((match) -> anchorOf(match.group(1))).forEach((anchor) -> {
			int before = seen.merge(anchor, 1, Integer::sum) - 1;
			anchors.add((before == 0) ? anchor : anchor + "-" + before);
		});
		return anchors;
	}

	/**
	 * Makes the anchor that the forge gives a heading: in lower case, without
	 * punctuation, with hyphens for spaces.
	 */
	private static String anchorOf(String heading) {
		return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
	}

	private static String prose(Path document) {
		return CODE_BLOCK.matcher(Docs.read(document)).replaceAll("");
	}

}
