package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.hilo.fixture.Docs;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.internal.sequence.HiLoSettings.SequenceSettings;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.support.SpringApplicationJsonEnvironmentPostProcessor;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mock.env.MockEnvironment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How properties are bound. What they do is tested by {@link PropertyEffectTests}, what
 * is refused by {@link InvalidPropertyTests}.
 */
class HiLoPropertiesTests {

	private static final String GUIDE = Docs.page("configuring.md");

	@Test
	void defaultsAreThoseOfTheEngine() {
		HiLoProperties properties = bind(new MapConfigurationPropertySource());
		HiLoSettings settings = properties.toSettings();
		assertThat(settings).usingRecursiveComparison()
			.ignoringFields("formats", "sequences")
			.isEqualTo(EngineSettings.DEFAULTS.settings());
		assertThat(settings.formats().apply("orders"))
			.isEqualTo(EngineSettings.DEFAULTS.settings().formats().apply("orders"));
		assertThat(settings.sequences().apply("orders"))
			.isEqualTo(EngineSettings.DEFAULTS.settings().sequences().apply("orders"));
	}

	@Test
	void everyPropertyIsBoundFromYaml() throws IOException {
		HiLoProperties properties = bind(yaml("""
				hilo:
				  enabled: false
				  counter:
				    collection: "@counters"
				    id-prefix: "Counters:"
				  node-tag: ""
				  identity-parts-separator: ":"
				  digits: 8
				  server-prefix-document: true
				  naming: raven
				  assign-ids: annotated
				  initial-value: 100
				  timeout: 2
				  range:
				    initial-size: 8
				    max-size: 64
				  warm-up:
				    - orders
				    - eu/orders.v2
				  sequences:
				    "[eu/orders.v2]":
				      initial-value: 7
				      range:
				        initial-size: 10
				        max-size: 20
				      check-stored-ids: false
				      digits: 6
				      identity-parts-separator: "-"
				      node-tag: "7"
				      consecutive: true
				"""));
		assertThat(properties).usingRecursiveComparison()
			.ignoringFields("sequences")
			.isEqualTo(new HiLoProperties(false, new HiLoProperties.Counter("@counters", "Counters:"), "", ":", 8, true,
					Naming.RAVEN, AssignIds.ANNOTATED, List.of(), true, 100, Duration.ofSeconds(2),
					new HiLoProperties.Range(8, 64, 2, true), List.of("orders", "eu/orders.v2"), Map.of()));
		assertThat(properties.sequences()).isEqualTo(Map.of("eu/orders.v2",
				new HiLoProperties.Sequence(7L, new HiLoProperties.SequenceRange(10L, 20L), false, 6, "-", "7", true)));
	}

	@ParameterizedTest
	@CsvSource({ "hilo.sequences.orders.range.initial-size, orders",
			"hilo.sequences.LineItems.range.initial-size, LineItems",
			"hilo.sequences.order-lines.range.initial-size, order-lines",
			"hilo.sequences.order_lines.range.initial-size, order_lines",
			"hilo.sequences[orders].range.initial-size, orders",
			"hilo.sequences[eu/orders].range.initialSize, eu/orders", "hilo.sequences[a.b c].range.initial-size, a.b c",
			"hilo.sequences[a.b-*].range.initial-size, a.b-*" })
	void sequenceIsBoundByItsExactName(String property, String sequence) {
		HiLoProperties properties = bind(new MapConfigurationPropertySource(Map.of(property, 3)));
		assertThat(properties.sequences()).containsOnlyKeys(sequence);
		assertThat(properties.toSettings().sequences().apply(sequence).initialSize()).isEqualTo(3);
	}

	@Test
	void settingIsThatOfTheExactNameElseOfTheLongestPatternThatHasIt() throws IOException {
		HiLoSettings settings = bind(yaml("""
				hilo:
				  initial-value: 2
				  sequences:
				    "[calls-north-*]":
				      digits: 6
				      range:
				        max-size: 64
				    "[calls-*]":
				      check-stored-ids: false
				      digits: 4
				      identity-parts-separator: "-"
				      initial-value: 10
				      node-tag: ""
				      range:
				        initial-size: 8
				        max-size: 128
				    calls-north-1:
				      node-tag: "N"
				      consecutive: true
				    "[*]":
				      node-tag: "Z"
				      range:
				        max-size: 4096
				""")).toSettings();
		assertThat(settings.sequences().apply("calls-south")).isEqualTo(new SequenceSettings(10, 8, 128, false, false));
		assertThat(settings.sequences().apply("calls-north-2"))
			.isEqualTo(new SequenceSettings(10, 8, 64, false, false));
		assertThat(settings.sequences().apply("calls-north-1")).isEqualTo(new SequenceSettings(10, 8, 64, true, false));
		assertThat(settings.sequences().apply("calls")).isEqualTo(new SequenceSettings(2, 32, 4096, false, true));
		assertThat(settings.formats().apply("calls-")).isEqualTo(new DocumentIdFormat("calls--", "", 4));
		assertThat(settings.formats().apply("calls-north-2")).isEqualTo(new DocumentIdFormat("calls-north-2-", "", 6));
		assertThat(settings.formats().apply("calls-north-1"))
			.isEqualTo(new DocumentIdFormat("calls-north-1-", "-N", 6));
		assertThat(settings.formats().apply("Calls-1")).isEqualTo(new DocumentIdFormat("Calls-1/", "-Z", 1));
	}

	@Test
	void settingsOfTheGuideAreAsItSays() throws IOException {
		String section = GUIDE.substring(GUIDE.indexOf("## Settings of single sequences"));
		int start = section.indexOf("```yaml") + 7;
		HiLoSettings settings = bind(yaml(section.substring(start, section.indexOf("```", start)))).toSettings();
		assertThat(settings.sequences().apply("calls-north-1").consecutive()).isTrue();
		assertThat(settings.formats().apply("calls-north-1"))
			.isEqualTo(new DocumentIdFormat("calls-north-1/", "-N", 6));
		assertThat(settings.formats().apply("calls-south")).isEqualTo(new DocumentIdFormat("calls-south/", "-A", 4));
	}

	@Test
	void nothingIsKeptOfTheSequencesOfAPattern() {
		var source = new MapConfigurationPropertySource(
				Map.of("hilo.sequences[calls-*].consecutive", true, "hilo.sequences.calls-1.digits", 3));
		HiLoProperties properties = bind(source);
		HiLoSettings settings = properties.toSettings();
		assertThat(IntStream.rangeClosed(1, 1000).mapToObj((day) -> "calls-" + day)).allSatisfy((name) -> {
			assertThat(settings.sequences().apply(name).consecutive()).isTrue();
			assertThat(settings.formats().apply(name).head()).isEqualTo(name + "/");
		});
		assertThat(properties).usingRecursiveComparison().isEqualTo(bind(source));
	}

	@Test
	void patternIsBoundFromTheEnvironmentAsJson() {
		String json = "{\"hilo\":{\"sequences\":{\"[calls-*]\":{\"consecutive\":true}}}}";
		assertThat(GUIDE).contains("`SPRING_APPLICATION_JSON='" + json + "'`");
		MockEnvironment environment = new MockEnvironment().withProperty("SPRING_APPLICATION_JSON", json);
		new SpringApplicationJsonEnvironmentPostProcessor().postProcessEnvironment(environment,
				new SpringApplication());
		HiLoProperties properties = Binder.get(environment).bindOrCreate("hilo", HiLoProperties.class);
		assertThat(properties.toSettings().sequences().apply("calls-1").consecutive()).isTrue();
	}

	@Test
	void springBootDropsTheStarWithoutBracketsAndInEnvironmentVariables() {
		assertThat(bind(new MapConfigurationPropertySource(Map.of("hilo.sequences.calls-*.consecutive", true)))
			.sequences()).containsOnlyKeys("calls-");
		assertThat(bind(variables(Map.of("HILO_SEQUENCES[calls-*]_CONSECUTIVE", true))).sequences())
			.containsOnlyKeys("calls-");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "_" })
	void environmentVariablesAreBoundWithAndWithoutHyphens(String hyphen) {
		Map<String, Object> variables = Map.of("HILO_NODE-TAG", "", "HILO_WARM-UP_0", "orders",
				"HILO_RANGE_INITIAL-SIZE", "4", "HILO_SEQUENCES_ORDERS_INITIAL-VALUE", "50",
				"HILO_SEQUENCES_ORDERS_RANGE_MAX-SIZE", "64");
		HiLoProperties properties = bind(variables(variables.entrySet()
			.stream()
			.collect(Collectors.toMap((entry) -> entry.getKey().replace("-", hyphen), Map.Entry::getValue))));
		assertThat(properties.nodeTag()).isEmpty();
		assertThat(properties.warmUp()).containsExactly("orders");
		assertThat(properties.range().initialSize()).isEqualTo(4);
		assertThat(properties.toSettings().sequences().apply("orders"))
			.isEqualTo(new SequenceSettings(50, 4, 64, false, true));
	}

	private static ConfigurationPropertySource variables(Map<String, Object> variables) {
		return Objects.requireNonNull(
				ConfigurationPropertySource.from(new SystemEnvironmentPropertySource("systemEnvironment", variables)));
	}

	private static ConfigurationPropertySource yaml(String text) throws IOException {
		var loaded = new YamlPropertySourceLoader().load("test", new ByteArrayResource(text.getBytes(UTF_8)));
		return ConfigurationPropertySources.from(loaded).iterator().next();
	}

	private static HiLoProperties bind(ConfigurationPropertySource source) {
		return new Binder(source).bindOrCreate("hilo", HiLoProperties.class);
	}

}
