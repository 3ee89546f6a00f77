package io.github.hilo.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Docs;
import io.github.hilo.fixture.FullApplication;
import io.github.hilo.fixture.MongoTestServer;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The deployment that {@code docs/deploying.md} shows: its probes are answered, its
 * variables have their effect, and its times add up.
 */
class KubernetesGuideTests {

	private static final String POD = "spec.template.spec.";

	private static final String CONTAINER = POD + "containers[0].";

	private final Properties deployment = deployment();

	private final ApplicationDatabase database = new ApplicationDatabase();

	@Test
	void probesAreAnsweredAndVariablesHaveTheirEffect() {
		Map<String, Object> variables = new HashMap<>();
		for (int i = 0; this.deployment.containsKey(CONTAINER + "env[" + i + "].name"); i++) {
			variables.put(get(CONTAINER + "env[" + i + "].name"),
					this.deployment.getOrDefault(CONTAINER + "env[" + i + "].value", MongoTestServer.uri()));
		}
		assertThat(variables).containsOnlyKeys("HILO_NODE_TAG", "SPRING_MONGODB_URI");
		variables.put("SPRING_MONGODB_DATABASE", this.database.name());
		new WebApplicationContextRunner().withUserConfiguration(FullApplication.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource(
						StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables)))
			.run((context) -> {
				// As SpringApplication does once it has started.
				AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
				AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
				MockMvcTester mvc = MockMvcTester.from(context);
				assertThat(List.of("startupProbe", "readinessProbe", "livenessProbe")).allSatisfy(
						(probe) -> assertThat(mvc.get().uri(get(CONTAINER + probe + ".httpGet.path"))).hasStatusOk());
				assertThat(context.getBean(HiLoIdGenerator.class).nextDocumentId("orders")).isEqualTo("orders/1-eu");
			});
	}

	@Test
	void gracePeriodCoversAStopDuringAnOutage() {
		int requests = 30;
		int hangingRequests = 10;
		int returns = 10;
		assertThat(Integer.parseInt(get(POD + "terminationGracePeriodSeconds"))).isGreaterThanOrEqualTo(requests
				+ hangingRequests + returns + Integer.parseInt(get(CONTAINER + "lifecycle.preStop.sleep.seconds")));
	}

	private String get(String key) {
		return String.valueOf(this.deployment.get(key));
	}

	private static Properties deployment() {
		String page = Docs.page("deploying.md");
		String yaml = page.split("\n## Kubernetes\n", 2)[1].split("```yaml\n", 2)[1].split("\n```", 2)[0];
		YamlPropertiesFactoryBean properties = new YamlPropertiesFactoryBean();
		properties.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
		return Objects.requireNonNull(properties.getObject());
	}

}
