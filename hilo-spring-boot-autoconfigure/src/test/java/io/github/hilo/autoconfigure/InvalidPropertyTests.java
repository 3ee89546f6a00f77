package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.HiLoApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What somebody sees who got a property wrong.
 */
@ExtendWith(OutputCaptureExtension.class)
class InvalidPropertyTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@ParameterizedTest
	@MethodSource
	void wrongValueIsRefusedWithPropertyAndReason(String property, String value, String reason) {
		assertRefused(Map.of(property, value), property, reason);
	}

	static Stream<Arguments> wrongValueIsRefusedWithPropertyAndReason() {
		String separator = "one character, but not '|'";
		String atLeast1 = "It must be at least 1.";
		String initial = "It must be at least 1 and at most 9223370937343148031, the end of every counter.";
		String nodeTag = "must not contain the separator, which is '/', a blank or a control character";
		String digits = "It must be from 1 to 19.";
		String duration = "at least 1ms and at most 24d, such as 30s";
		String size = "It must be at most 1099511627776.";
		String literal = "It contains an expression that nothing has replaced.";
		return Stream
			.of(wrong("hilo.counter.collection", "A collection needs a name without '$', such as '@hilo'.", "", " ",
					"a$b"),
					wrong("hilo.identity-parts-separator", separator, "|", "//", "", "x", "Ä", "7", "\u0663",
							"\uD83D\uDE00", "\uD83D", "\u0301"),
					wrong("hilo.node-tag", nodeTag, "a/b", " ", "data center", "A\u00a0", "A\u0007"),
					wrong("hilo.initial-value", initial, "0", "9223372036854775807", "-5"),
					wrong("hilo.range.initial-size", atLeast1, "0", "-1"),
					wrong("hilo.range.max-size", "at least the initial size, which is 32.", "31"),
					wrong("hilo.range.max-size", size, "1099511627777"),
					wrong("hilo.range.max-growth", "It must be at least 2 and at most 1024.", "1", "1025"),
					wrong("hilo.digits", digits, "0", "20"),
					wrong("hilo.timeout", duration, "0", "-1s", "25d", "106752d"),
					wrong("hilo.warm-up", "The sequence name is blank.", "orders, ,lines"),
					wrong("hilo.warm-up", "The sequence name 'xxx", "orders," + "x".repeat(1_000)),
					wrong("hilo.warm-up", "the name of one sequence, without '*'", "orders,calls-*", "*", "ca*s"),
					wrong("hilo.warm-up", literal, "orders,${queue}", "#{'orders'}"),

					wrong("hilo.node-tag", literal, "${POD_NAME}"),
					wrong("hilo.sequences[orders].node-tag", literal, "${POD_NAME}"),
					wrong("hilo.counter.id-prefix", literal, "${prefix}/"),
					wrong("hilo.counter.id-prefix", "leave room for the name of a sequence", "x".repeat(1_000)),
					wrong("hilo.packages", "'com.example.*' is not the name of a package.", "com.example.*"),
					wrong("hilo.packages", "'' is not the name of a package.", "com.example,"),
					wrong("hilo.sequences[orders].digits", digits, "0", "20"),
					wrong("hilo.sequences[orders].range.max-size", "at least the initial size, which is 32.", "31"),
					wrong("hilo.sequences[orders].range.initial-size", "at most the largest size, which is 1048576.",
							"1048577"))
			.flatMap((rows) -> rows);
	}

	private static Stream<Arguments> wrong(String property, String reason, String... values) {
		return Stream.of(values).map((value) -> arguments(property, value, reason));
	}

	@Test
	void valueThatIsWrongBesideAnotherIsRefused() {
		assertRefused(Map.of("hilo.identity-parts-separator", ":", "hilo.node-tag", "eu:1"), "hilo.node-tag",
				"which is ':'");
		assertRefused(Map.of("hilo.sequences[INV].identity-parts-separator", "-", "hilo.node-tag", "eu-1"),
				"hilo.sequences[INV].identity-parts-separator",
				"It must not be in the node tag, which is 'eu-1'. Choose another character");
		assertRefused(
				Map.of("hilo.sequences[INV].identity-parts-separator", "-", "hilo.sequences[INV].node-tag", "1-2"),
				"hilo.sequences[INV].node-tag", "which is '-'");
		assertRefused(Map.of("hilo.identity-parts-separator", "-", "hilo.sequences[INV].node-tag", "1-2"),
				"hilo.sequences[INV].node-tag", "which is '-'");
		String name = "x".repeat(990);
		assertRefused(Map.of("hilo.sequences[" + name + "].range.max-size", "64"),
				"hilo.sequences[" + name.substring(0, 200) + "…", "would have 1001 bytes");
		Stream.of("initial-size", "max-size")
			.forEach(
					(size) -> assertRefused(
							Map.of("hilo.sequences.orders.consecutive", "true", "hilo.sequences.orders.range." + size,
									"64"),
							"hilo.sequences[orders].consecutive",
							"Remove range.initial-size and range.max-size of this sequence"));
	}

	@Test
	void nameThatIsAnExpressionIsRefused() {
		assertRefused(Map.of("hilo.sequences[${queue}].digits", "8"), "hilo.sequences[${queue}]",
				"It contains an expression that nothing has replaced.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ca*s", "*calls", "calls-**", "calls-*-*" })
	void starThatIsNotTheOnlyOneAtTheEndIsRefused(String name) {
		assertRefused(Map.of("hilo.sequences[" + name + "].digits", "3"), "hilo.sequences[" + name + "]",
				"A name can have one '*', as its last character, and then stands for all sequences whose names"
						+ " begin with the text before it, as in hilo.sequences[calls-*].");
	}

	@Test
	void whatIsWrongBesideAPatternIsRefusedAtThePropertyThatIsSet() {
		Map<String, String> wrongPattern = new LinkedHashMap<>();
		wrongPattern.put("hilo.sequences[calls-1].consecutive", "true");
		wrongPattern.put("hilo.sequences[calls-1*].node-tag", "N");
		wrongPattern.put("hilo.sequences[calls-*].digits", "20");
		assertRefused(wrongPattern, "hilo.sequences[calls-*].digits", "It must be from 1 to 19.");
		assertRefused(
				Map.of("hilo.sequences[calls-*].node-tag", "1-2", "hilo.sequences[calls-1].identity-parts-separator",
						"-"),
				"hilo.sequences[calls-1].identity-parts-separator", "It must not be in the node tag, which is '1-2'.");
		assertRefused(Map.of("hilo.sequences[calls-*].range.max-size", "64",
				"hilo.sequences[calls-1*].range.initial-size", "65"), "hilo.sequences[calls-1*].range.initial-size",
				"at most the largest size, which is 64.");
		assertRefused(
				Map.of("hilo.sequences[calls-*].consecutive", "true", "hilo.sequences[calls-1].range.max-size", "64"),
				"hilo.sequences[calls-1].consecutive", "Remove range.initial-size and range.max-size");
	}

	@Test
	void sequenceBelowAPatternMayBeConsecutiveWhereTheOthersHaveSizes() {
		bind(Map.of("hilo.sequences[calls-*].range.max-size", "64", "hilo.sequences[calls-1].consecutive", "true"))
			.validate();
	}

	@ParameterizedTest
	@CsvSource({ "hilo.identity-parts-separator, :", "hilo.identity-parts-separator, -", "hilo.node-tag, ''",
			"hilo.node-tag, eu:1-b", "hilo.digits, 19", "hilo.sequences[INV].digits, 19",
			"hilo.sequences[INV].identity-parts-separator, -", "hilo.sequences[INV].node-tag, ''", "hilo.timeout, 1ms",
			"hilo.timeout, 24d", "hilo.initial-value, 9223370937343148031", "hilo.warm-up, ''",
			"hilo.counter.id-prefix, ''", "hilo.range.initial-size, 1", "hilo.range.max-size, 32" })
	void extremeValueIsAccepted(String property, String value) {
		bind(Map.of(property, value)).validate();
	}

	/**
	 * Spring Boot leaves a placeholder of an unknown property as it is.
	 */
	@Test
	void placeholderThatNothingReplacesStopsStartUp(CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--hilo.node-tag=${hilo-test.unknown}").close()))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("'${hilo-test.unknown}'", "define the property that the expression refers to");
		start("--hilo.node-tag=${hilo-test.known}", "--hilo-test.known=B").close();
	}

	@ParameterizedTest
	@CsvSource({ "hilo.range.initialSize, hilo.range.initial-size, 0, It must be at least 1.",
			"hilo.sequences.orders.range.initial-size, hilo.sequences[orders].range.initial-size, 0, It must be at least 1." })
	void wrongValueStopsStartUpWithPropertyValueOriginAndReason(String spelling, String property, String value,
			String reason, CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--" + spelling + "=" + value).close()))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output)
			.contains("APPLICATION FAILED TO START",
					"Invalid value '" + value + "' for configuration property '" + property + "'", "commandLineArgs",
					reason)
			.doesNotContain("\tat ");
	}

	@Test
	void unknownKeyStopsStartUpWithItsOrigin(@TempDir Path directory, CapturedOutput output) throws IOException {
		Path file = Files.writeString(directory.resolve("application.yml"), """
				hilo:
				  node-tag: "B"
				  tiemout: 5s
				  sequences:
				    orders.number:
				      consecutive: true
				""");
		assertThat(catchThrowable(() -> start("--spring.config.location=" + file.toUri()).close())).isNotNull();
		assertThat(output).containsSubsequence("APPLICATION FAILED TO START", //
				"Property: hilo.sequences.orders.number.consecutive", "Value: \"true\"", "application.yml", " - 6:20", //
				"Property: hilo.tiemout", "Value: \"5s\"", "application.yml", " - 3:12")
			.doesNotContain("Property: hilo.node-tag", "\tat ");
	}

	@Test
	void environmentVariablesOfOtherProgramsAreIgnored() {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources()
			.replace(name, new SystemEnvironmentPropertySource(name,
					Map.of("HILO_SERVICE_HOST", "10.0.0.1", "HILO_HOME", "/opt", "HILO_INITIALVALUE", "70")));
		try (ConfigurableApplicationContext context = HiLoApplication.with()
			.environment(environment)
			.run(this.database.connectionArguments())) {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(70);
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, 1", "TRUE, 1", "on, 1", "yes, 1", "1, 1", "false, 0", "off, 0", "no, 0", "0, 0" })
	void whateverConvertsToABooleanSwitchesIdsOnOrOff(String value, int generators) {
		this.database.contextRunner()
			.withPropertyValues("hilo.enabled=" + value)
			.run((context) -> assertThat(context).hasNotFailed()
				.getBeanNames(HiLoIdGenerator.class)
				.hasSize(generators));
	}

	@Test
	void whatIsNoBooleanStopsStartUp(CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--hilo.enabled=ture").close())).isNotNull();
		assertThat(output).contains("APPLICATION FAILED TO START", "Property: hilo.enabled", "Value: \"ture\"");
	}

	private static void assertRefused(Map<String, String> properties, String property, String reason) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> bind(properties).validate())
			.satisfies((refused) -> assertThat(refused.getName()).startsWith(property))
			.satisfies((refused) -> assertThat(refused.getReason()).contains(reason));
	}

	private static HiLoProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate(HiLoProperties.PREFIX,
				HiLoProperties.class);
	}

	private ConfigurableApplicationContext start(String... arguments) {
		return HiLoApplication.with()
			.run(Stream.concat(Stream.of(this.database.connectionArguments()), Stream.of(arguments))
				.toArray(String[]::new));
	}

}
