package io.github.hilo.autoconfigure;

import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
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
	@Thorough
	void wrongValueStopsStartUpWithPropertyValueAndReason(String property, String value, String reason,
			CapturedOutput output) {
		Throwable failure = catchThrowable(() -> start("--" + property + "=" + value).close());
		assertThat(failure).hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Invalid value '" + value + "' for configuration property '" + property + "'")
			.contains("commandLineArgs")
			.contains(reason)
			.doesNotContain("\tat ");
	}

	static Stream<Arguments> wrongValueStopsStartUpWithPropertyValueAndReason() {
		String separator = "one character, but not '|'";
		String atLeast1 = "It has to be at least 1.";
		String trueOrFalse = "It has to be true or false.";
		String nodeTag = "must not contain hilo.identity-parts-separator, which is '/', a blank or a control character";
		String duration = "at least 1ms and at most 365d, such as 30s";
		return Stream.of(arguments("hilo.collection", "", "A collection needs a name, such as '@hilo'."),
				arguments("hilo.collection", " ", "A collection needs a name"),
				arguments("hilo.identity-parts-separator", "|", separator),
				arguments("hilo.identity-parts-separator", "//", separator),
				arguments("hilo.identity-parts-separator", "", separator),
				arguments("hilo.identity-parts-separator", "x", separator),
				arguments("hilo.identity-parts-separator", "Ä", separator),
				arguments("hilo.identity-parts-separator", "7", separator),
				arguments("hilo.identity-parts-separator", "\u0663", separator),
				arguments("hilo.identity-parts-separator", "\uD83D\uDE00", separator),
				arguments("hilo.enabled", "ture", trueOrFalse), arguments("hilo.enabled", "off", trueOrFalse),
				arguments("hilo.enabled", "", trueOrFalse), arguments("hilo.node-tag", "a/b", nodeTag),
				arguments("hilo.node-tag", " ", nodeTag), arguments("hilo.node-tag", "data center", nodeTag),
				arguments("hilo.node-tag", "A\u00a0", nodeTag), arguments("hilo.node-tag", "A\u0007", nodeTag),
				arguments("hilo.initial-value", "0", atLeast1), arguments("hilo.initial-value", "-5", atLeast1),
				arguments("hilo.range.initial-size", "0", atLeast1),
				arguments("hilo.range.initial-size", "-1", atLeast1),
				arguments("hilo.range.initial-size", "2199023255552", "It has to be at most 1099511627776."),
				arguments("hilo.range.max-size", "31", "at least the initial size, which is 32."),
				arguments("hilo.range.max-size", "1099511627777", "It has to be at most 1099511627776."),
				arguments("hilo.range.max-growth", "1", "It has to be at least 2 and at most 1024."),
				arguments("hilo.range.max-growth", "1025", "It has to be at least 2 and at most 1024."),
				arguments("hilo.range.grow-within", "0", duration),
				arguments("hilo.range.shrink-after", "-1s", duration),
				arguments("hilo.range.shrink-after", "29s", "at least hilo.range.grow-within, which is 30s."),
				arguments("hilo.timeout", "0", duration), arguments("hilo.timeout", "-1s", duration),
				arguments("hilo.timeout", "366d", duration), arguments("hilo.timeout", "106752d", duration),
				arguments("hilo.warm-up", "orders, ,lines", "It holds a blank name"),
				arguments("hilo.warm-up", "orders," + "x".repeat(1_000), "The sequence name 'xxx"),
				arguments("hilo.document-id-prefix", "x".repeat(1_000), "leave room for the name of a sequence"),
				arguments("hilo.resync", "orders, ,lines", "It holds a blank name; name collections."),
				arguments("hilo.packages", "com.example.*", "'com.example.*' is not the name of a package."),
				arguments("hilo.packages", "com.example,", "'' is not the name of a package."),
				arguments("hilo.sequences[orders].initial-value", "0", atLeast1),
				arguments("hilo.sequences[orders].initial-size", "0", atLeast1),
				arguments("hilo.sequences[orders].max-size", "31", "at least the initial size, which is 32."),
				arguments("hilo.sequences[eu/orders.v2].initial-size", "-1", atLeast1));
	}

	@Test
	void settingsOfASequenceThatNoCounterCanCountStopStartUp(CapturedOutput output) {
		String name = "x".repeat(990);
		Throwable failure = catchThrowable(() -> start("--hilo.sequences[" + name + "].max-size=64").close());
		assertThat(failure).hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("for configuration property 'hilo.sequences[" + name.substring(0, 200) + "…")
			.contains("would have 1001 bytes");
	}

	@ParameterizedTest
	@CsvSource({ "hilo.sequences.orders.initial-size, hilo.sequences[orders].initial-size",
			"hilo.range.initialSize, hilo.range.initial-size" })
	void everySpellingOfAPropertyIsTracedToItsOrigin(String spelling, String property, CapturedOutput output) {
		Throwable failure = catchThrowable(() -> start("--" + spelling + "=0").close());
		assertThat(failure).hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("Invalid value '0' for configuration property '" + property + "'")
			.contains("It has to be at least 1.");
	}

	@Test
	void valueThatIsWrongOnlyBesideADefaultIsNamedToo(CapturedOutput output) {
		Throwable failure = catchThrowable(() -> start("--hilo.range.grow-within=2m").close());
		assertThat(failure).hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("'hilo.range.shrink-after'").contains("hilo.range.grow-within, which is 2m.");
	}

	@ParameterizedTest
	@CsvSource({ "hilo.enabled, ture, It has to be true or false.",
			"hilo.node-tag, a/b, 'hilo.identity-parts-separator, which is ''/'', a blank or a control character'" })
	void wrongValueIsNamedWithItsReason(String property, String value, String reason, CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--" + property + "=" + value).close()))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output)
			.contains("Invalid value '" + value + "' for configuration property '" + property + "'", "commandLineArgs",
					reason)
			.doesNotContain("\tat ");
	}

	@Test
	void nodeTagMayHaveWhatIsNotTheSeparator() {
		try (ConfigurableApplicationContext context = start("--hilo.identity-parts-separator=:",
				"--hilo.node-tag=eu/1-b")) {
			assertThat(context.getBean(HiLoIdGenerator.class).nextDocumentId("orders")).isEqualTo("orders:1-eu/1-b");
		}
		assertThat(catchThrowable(() -> start("--hilo.identity-parts-separator=:", "--hilo.node-tag=eu:1").close()))
			.hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "TRUE, true", "'true ', true", "false, false", "False, false" })
	void enabledIsTrueOrFalse(String value, boolean enabled) {
		try (ConfigurableApplicationContext context = start("--hilo.enabled=" + value)) {
			assertThat(context.getBeanProvider(HiLoIdGenerator.class).stream().count()).isEqualTo(enabled ? 1 : 0);
		}
	}

	@Test
	void enabledIsReadFromWhereverItIsSet() {
		this.database.contextRunner()
			.withPropertyValues("switch=ture", "hilo.enabled=${switch}")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("hilo.enabled", "'ture'", "true or false"));
		this.database.contextRunner()
			.withSystemProperties("hilo.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(HiLoIdGenerator.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "initial-size", "max-size" })
	void consecutiveSequenceHasNoSizes(String size, CapturedOutput output) {
		Throwable failure = catchThrowable(
				() -> start("--hilo.sequences.orders.consecutive=true", "--hilo.sequences.orders." + size + "=64")
					.close());
		assertThat(failure).hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output)
			.contains("Invalid value 'true' for configuration property 'hilo.sequences[orders].consecutive'")
			.contains("Remove initial-size and max-size of this sequence, or set it to false.");
	}

	@Test
	void consecutiveSequenceHasAnInitialValueAndLooks() {
		try (ConfigurableApplicationContext context = start("--hilo.sequences.orders.consecutive=true",
				"--hilo.sequences.orders.initial-value=7", "--hilo.sequences.orders.check-stored-ids=false")) {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(7);
		}
	}

	@Test
	void loneSurrogateIsNoSeparator(CapturedOutput output) {
		Throwable failure = catchThrowable(() -> start("--hilo.identity-parts-separator=\uD83D").close());
		assertThat(failure).hasRootCauseInstanceOf(InvalidConfigurationPropertyValueException.class);
		assertThat(output).contains("'hilo.identity-parts-separator'");
	}

	@Test
	void unknownNamingStopsStartUpWithTheChoices(CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--hilo.naming=plural").close())).isNotNull();
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("hilo.naming")
			.contains("plural")
			.contains("COLLECTION")
			.contains("RAVEN")
			.doesNotContain("\tat ");
	}

	@Test
	void unknownAssignIdsStopsStartUpWithTheChoices(CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--hilo.assign-ids=some").close())).isNotNull();
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("hilo.assign-ids")
			.contains("ANNOTATED")
			.doesNotContain("\tat ");
	}

	@ParameterizedTest
	@CsvSource({ "hilo.foo", "hilo.range.intial-size", "hilo.sequences.orders.initial-sise",
			"hilo.sequences.a.b.max-size" })
	void unknownPropertyStopsStartUp(String property, CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--" + property + "=5").close())).isNotNull();
		assertThat(output).contains("APPLICATION FAILED TO START").contains(property).doesNotContain("\tat ");
	}

	@ParameterizedTest
	@CsvSource({ "hilo.identity-parts-separator, :", "hilo.identity-parts-separator, -", "hilo.node-tag, ''",
			"hilo.timeout, 1ms", "hilo.timeout, 365d", "hilo.initial-value, 9223372036854775807", "hilo.warm-up, ''",
			"hilo.resync, ''", "hilo.document-id-prefix, ''", "hilo.range.initial-size, 1", "hilo.range.max-size, 32" })
	@Thorough
	void extremeValueIsAccepted(String property, String value) {
		try (ConfigurableApplicationContext context = start("--" + property + "=" + value)) {
			assertThat(context.getBean(HiLoIdGenerator.class)).isNotNull();
		}
	}

	private ConfigurableApplicationContext start(String... arguments) {
		return application().run(Stream.concat(Stream.of(this.database.connectionArguments()), Stream.of(arguments))
			.toArray(String[]::new));
	}

	private static SpringApplicationBuilder application() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE).bannerMode(Banner.Mode.OFF);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class })
	static class Application {

	}

}
