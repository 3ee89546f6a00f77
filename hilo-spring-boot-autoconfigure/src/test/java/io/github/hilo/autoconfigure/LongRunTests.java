package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The workflows, and the commands for long runs that they and the documents name: a
 * property with a typo would be ignored, and the run would be a short one.
 */
class LongRunTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Pattern PROPERTY = Pattern.compile("-D(hilo\\.[a-z.]+)=");

	private static final Pattern TEST = Pattern.compile("-Dtest=([A-Za-z]+Tests)\\b");

	private static final Pattern ACTION = Pattern.compile("(?m)^.*\\buses:.*$");

	private static final String PINNED = "\\s+(- )?uses: [\\w/-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+";

	@ParameterizedTest
	@MethodSource("workflows")
	void workflowIsYamlWithJobs(Path workflow) throws IOException {
		Map<String, Object> content = new Yaml(new SafeConstructor(new LoaderOptions()))
			.load(Files.readString(workflow));
		assertThat(content).containsKeys("name", "jobs").containsEntry("permissions", Map.of("contents", "read"));
	}

	@ParameterizedTest
	@MethodSource("workflows")
	void actionsArePinnedToACommit(Path workflow) throws IOException {
		assertThat(found(ACTION, Files.readString(workflow), 0)).isNotEmpty()
			.allSatisfy((action) -> assertThat(action).matches(PINNED));
	}

	@ParameterizedTest
	@MethodSource("commands")
	void everyPropertyIsReadByATest(Path file) throws IOException {
		List<String> tests = sources();
		assertThat(found(PROPERTY, Files.readString(file), 1))
			.allSatisfy((property) -> assertThat(tests).anyMatch((source) -> source.contains("\"" + property + "\"")));
	}

	@ParameterizedTest
	@MethodSource("commands")
	void everyTestExists(Path file) throws IOException {
		List<String> tests = sources();
		assertThat(found(TEST, Files.readString(file), 1))
			.allSatisfy((test) -> assertThat(tests).anyMatch((source) -> source.contains("\nclass " + test + " ")));
	}

	@Test
	void everyLongRunThatIsDocumentedIsRunAtNight() throws IOException {
		String contributing = Files.readString(ROOT.resolve("CONTRIBUTING.md"));
		Set<String> documented = found(PROPERTY,
				contributing.substring(contributing.indexOf("### Tests that take longer")), 1);
		documented.remove("hilo.simulation.seed");
		assertThat(found(PROPERTY, Files.readString(ROOT.resolve(".github/workflows/nightly.yml")), 1)).hasSize(4)
			.isEqualTo(documented);
	}

	static Stream<Path> workflows() throws IOException {
		try (Stream<Path> files = Files.list(ROOT.resolve(".github/workflows"))) {
			return files.sorted().toList().stream();
		}
	}

	static Stream<Path> commands() throws IOException {
		return Stream.concat(workflows(), Stream.of("CONTRIBUTING.md", "docs/reliability.md").map(ROOT::resolve));
	}

	private static Set<String> found(Pattern pattern, String text, int group) {
		return pattern.matcher(text).results().map((match) -> match.group(group)).collect(Collectors.toSet());
	}

	private static List<String> sources() throws IOException {
		List<String> sources = new ArrayList<>();
		for (String module : List.of("hilo-spring-boot-autoconfigure", "sample-app")) {
			addSources(ROOT.resolve(module).resolve("src/test/java"), sources);
		}
		return sources;
	}

	private static void addSources(Path directory, List<String> sources) throws IOException {
		try (Stream<Path> files = Files.walk(directory).filter((file) -> file.toString().endsWith("Tests.java"))) {
			for (Path file : files.toList()) {
				sources.add(Files.readString(file));
			}
		}
	}

}
