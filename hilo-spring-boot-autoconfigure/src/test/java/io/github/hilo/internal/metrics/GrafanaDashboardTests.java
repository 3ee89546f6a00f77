package io.github.hilo.internal.metrics;

import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.Docs;
import io.github.hilo.fixture.EngineSettings;
import io.github.hilo.fixture.FakeRangeStore;
import io.github.hilo.internal.store.TimeSource;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Grafana dashboard asks for what Prometheus gets from {@link HiLoMetrics}, and for
 * all of it; so do the alerts ask for what there is, and the guide names it.
 */
class GrafanaDashboardTests {

	private static final Pattern METRIC = Pattern.compile("hilo_\\w+");

	private static final Pattern CONDITION = Pattern.compile("(\\w+)(?:=~|=)\"");

	private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(hilo_\\w+)\\{([^}]*)}");

	private static final Pattern KIND = Pattern.compile("kind=~?\"([\\w|]*)\"");

	/**
	 * Tags that Prometheus adds.
	 */
	private static final Set<String> TARGET_TAGS = Set.of("job", "instance");

	private final String scrape = scrape();

	private final Set<String> exposed = matches(SAMPLE, this.scrape, 1).collect(Collectors.toSet());

	@Test
	void queriesNameMetersThatExistAndEveryOneOfThem() {
		Set<String> asked = metersOf(expressions());
		assertThat(asked).isNotEmpty().isSubsetOf(this.exposed);
		assertThat(this.exposed).isSubsetOf(asked);
	}

	@Test
	void alertsNameMetersThatExist() {
		assertThat(metersOf(alerts("expr"))).isNotEmpty().isSubsetOf(this.exposed);
	}

	@Test
	void alertsNameEveryKindOfFailure() {
		Set<String> kinds = matches(KIND, this.scrape, 1).collect(Collectors.toSet());
		assertThat(kinds).hasSize(4);
		assertThat(alerts("expr").flatMap((expression) -> matches(KIND, expression, 1))
			.flatMap((named) -> Stream.of(named.split("\\|", -1)))
			.collect(Collectors.toSet())).isEqualTo(kinds);
	}

	@Test
	void everyAlertLeadsToItsRowOfThePage() {
		String page = Docs.page("troubleshooting.md");
		Set<String> links = alerts("annotations.runbook_url").collect(Collectors.toSet());
		assertThat(alerts("alert")).isNotEmpty().allSatisfy((alert) -> {
			String anchor = alert.toLowerCase(Locale.ROOT);
			assertThat(links).contains("DOCS_URL/troubleshooting.md#" + anchor);
			assertThat(page).containsOnlyOnce("<a id=\"" + anchor + "\"></a>" + alert);
		});
		assertThat(links).hasSameSizeAs(alerts("alert").toList());
	}

	@Test
	void guideNamesEveryMeter() {
		// Buckets, which the guide switches on, stand beside their count.
		String guide = Docs.page("operating.md").replace("_seconds_bucket", "_seconds_count");
		assertThat(metersOf(Stream.of(guide))).isEqualTo(this.exposed);
	}

	@Test
	void queriesNameTagsThatExist() {
		Set<String> tags = matches(SAMPLE, this.scrape, 2).flatMap((labels) -> matches(CONDITION, labels, 1))
			.collect(Collectors.toSet());
		assertThat(Stream.concat(expressions(), alerts("expr"))
			.flatMap((expression) -> Stream.concat(matches(CONDITION, expression, 1),
					matches(GROUPING, expression, 1).flatMap((list) -> Stream.of(list.split(", "))))))
			.isNotEmpty()
			.allMatch((tag) -> tags.contains(tag) || TARGET_TAGS.contains(tag));
	}

	private static Stream<String> expressions() {
		return Stream.concat(dashboard().findValuesAsString("expr").stream(),
				dashboard().findValuesAsString("definition").stream());
	}

	private static Stream<String> alerts(String field) {
		YamlPropertiesFactoryBean rules = new YamlPropertiesFactoryBean();
		rules.setResources(new FileSystemResource("../docs/prometheus-alerts.yml"));
		Properties properties = Objects.requireNonNull(rules.getObject());
		return properties.stringPropertyNames()
			.stream()
			.filter((name) -> name.endsWith("]." + field))
			.map(properties::getProperty);
	}

	private static Set<String> metersOf(Stream<String> texts) {
		return texts.flatMap((text) -> matches(METRIC, text, 0)).collect(Collectors.toSet());
	}

	private static JsonNode dashboard() {
		return JsonMapper.shared().readTree(Docs.page("grafana-dashboard.json"));
	}

	private static Stream<String> matches(Pattern pattern, String text, int group) {
		return pattern.matcher(text).results().map((MatchResult match) -> match.group(group));
	}

	private static String scrape() {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		registry.config().meterFilter(new ReservationMeterFilter());
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
		FakeRangeStore store = new FakeRangeStore("shop");
		HiLoIdGenerator generator = EngineSettings.PATIENT.withPrefetch(false)
			.engine(store, TimeSource.SYSTEM, new HiLoMetrics(registry, observations))
			.generator();
		generator.nextId("orders");
		store.hold();
		Callers<Long> caller = Callers.start(1, () -> generator.nextId("invoices")).awaitWaiting();
		String scrape = registry.scrape();
		store.answerAll();
		caller.answers();
		return scrape;
	}

}
