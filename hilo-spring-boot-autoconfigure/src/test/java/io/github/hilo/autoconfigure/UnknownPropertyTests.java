package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.fixture.ApplicationDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What somebody sees who misspelled the name of a property.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertyTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					hilo.node-tags                       | write hilo.node-tag
					hilo.colection                       | write hilo.collection
					hilo.timeout.seconds                 | write hilo.timeout
					hilo.range.intial-size               | write hilo.range.initial-size
					hilo.rnage.grow-within               | write hilo.range.grow-within
					hilo.range.timeout                   | write hilo.timeout
					hilo.max-size                        | write hilo.range.max-size or hilo.sequences.<name>.max-size
					hilo.consecutive                     | write hilo.sequences.<name>.consecutive
					hilo.sequences.orders.initial-sise   | write hilo.sequences.orders.initial-size
					hilo.sequences.orders.initial.value  | write hilo.sequences.orders.initial-value
					hilo.sequence.orders.max-size        | write hilo.sequences.orders.max-size
					hilo.sequences.orders.number.consecutive  | write hilo.sequences[orders.number].consecutive (in YAML, the name and its brackets go in quotes)
					hilo.sequences.Orders.No.1.consecutve     | write hilo.sequences[Orders.No.1].consecutive
					hilo.sequences[eu/orders].consecutiv      | write hilo.sequences[eu/orders].consecutive
					hilo.sequences.orders.foo            | no property of a sequence is like it. There are initial-value, initial-size,
					hilo.foo                             | no property is like it. There are hilo.enabled, hilo.collection,
					""")
	void nearestKnownPropertyIsNamed(String unknown, String advice) {
		assertThat(KnownProperties.advice(ConfigurationPropertyName.adapt(unknown, '.'))).startsWith(advice);
	}

	@Test
	void everyKnownPropertyIsOfferedForItself() throws IOException {
		assertThat(ConfigurationMetadataTests.properties().keySet())
			.filteredOn((name) -> !name.equals("hilo.sequences"))
			.allSatisfy((name) -> assertThat(KnownProperties.advice(ConfigurationPropertyName.of(name)))
				.isEqualTo("write " + name));
	}

	@Test
	void everyUnknownPropertyIsListedWithItsOriginAndWhatToWrite(@TempDir Path directory, CapturedOutput output)
			throws IOException {
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
				"Property: hilo.tiemout", "Value: \"5s\"", "application.yml", " - 3:12", //
				"Action:", //
				"hilo.sequences.orders.number.consecutive: write hilo.sequences[orders.number].consecutive",
				"hilo.tiemout: write hilo.timeout")
			.doesNotContain("Property: hilo.node-tag", "\tat ");
	}

	@Test
	void dottedNameInBracketsAsAdvisedIsTaken(@TempDir Path directory) throws IOException {
		Path file = Files.writeString(directory.resolve("application.yml"), """
				hilo:
				  sequences:
				    "[orders.number]":
				      initial-value: 70
				""");
		try (ConfigurableApplicationContext context = start("--spring.config.location=" + file.toUri())) {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders.number")).isEqualTo(70);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "sequences:\n    orders:", "range:" })
	void keyOfARecordWithNothingBelowItIsNoErrorSinceSpringBoot41(String yaml, @TempDir Path directory)
			throws IOException {
		assumeThat(SpringBootVersion.getVersion()).doesNotStartWith("4.0.");
		keyWithNothingBelowItIsNoError(yaml, directory);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "sequences:", "sequences: {}", "warm-up:", "warm-up: []", "resync:", "packages:", "node-tag:" })
	void keyWithNothingBelowItIsNoError(String yaml, @TempDir Path directory) throws IOException {
		Path file = Files.writeString(directory.resolve("application.yml"), "hilo:\n  " + yaml + "\n");
		try (ConfigurableApplicationContext context = start("--spring.config.location=" + file.toUri())) {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
			HiLoProperties properties = context.getBean(HiLoProperties.class);
			assertThat(properties.toSettings().sequences().apply("orders"))
				.isEqualTo(HiLoSettings.DEFAULTS.sequences().apply("orders"));
			assertThat(properties.range().initialSize()).isEqualTo(32);
			assertThat(properties.warmUp()).isEmpty();
		}
	}

	@Test
	void textWhereThereHaveToBePropertiesIsStillAnError(CapturedOutput output) {
		assertThat(catchThrowable(() -> start("--hilo.sequences=orders").close())).isNotNull();
		assertThat(output).contains("APPLICATION FAILED TO START").contains("hilo.sequences").doesNotContain("\tat ");
	}

	@Test
	void unknownSystemPropertyIsIgnored() {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME;
		environment.getPropertySources()
			.replace(name, new MapPropertySource(name, Map.of("hilo.tiemout", "5s", "hilo.initial-value", "70")));
		assertFirstId(environment, 70);
	}

	@Test
	void unknownEnvironmentVariableIsIgnored() {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources()
			.replace(name, new SystemEnvironmentPropertySource(name,
					Map.of("HILO_TIEMOUT", "5s", "HILO_HOME", "/opt", "HILO_INITIALVALUE", "70")));
		assertFirstId(environment, 70);
	}

	@Test
	void propertiesOfOthersAreLeftToSpringBoot() {
		Binder binder = new Binder(new MapConfigurationPropertySource(Map.of("others.colour", "red", "others.x", "1")));
		Throwable failure = catchThrowable(() -> binder.bind("others", Bindable.of(Others.class),
				new NoUnboundElementsBindHandler(BindHandler.DEFAULT)));
		assertThat(failure).hasCauseInstanceOf(UnboundConfigurationPropertiesException.class);
		assertThat(new UnknownPropertyFailureAnalyzer().analyze(failure)).isNull();
	}

	private void assertFirstId(StandardEnvironment environment, long id) {
		try (ConfigurableApplicationContext context = application().environment(environment)
			.run(this.database.connectionArguments())) {
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(id);
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

	record Others(String colour) {
	}

}
