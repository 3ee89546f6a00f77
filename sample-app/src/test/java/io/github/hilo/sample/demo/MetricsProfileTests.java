package io.github.hilo.sample.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.hilo.fixture.Thorough;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.io.FileSystemResource;
import org.springframework.test.context.ActiveProfiles;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The containers that read the shop's meters, as far as that can be told without Docker.
 */
@Thorough
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sample.data=memory")
@ActiveProfiles("metrics")
class MetricsProfileTests {

	@Test
	void prometheusAsksUnderANameThatTheShopAnswersTo(@LocalServerPort int port, @Autowired ServerProperties server)
			throws IOException {
		Map<String, String> config = read("metrics/prometheus.yml");
		String path = String.join("", valuesOf(config, "scrape_configs\\[0]\\.metrics_path"));
		List<String> targets = valuesOf(config, ".*\\.targets\\[\\d]");
		assertThat(targets).hasSize(2);
		for (String target : targets) {
			assertThat(Http.get(port, path, target)).startsWith("HTTP/1.1 200 ").contains("# TYPE jvm_info gauge");
		}
		assertThat(server.getAddress()).isNotNull().matches(InetAddress::isAnyLocalAddress);
	}

	private static List<String> valuesOf(Map<String, String> yaml, String key) {
		return yaml.entrySet().stream().filter((one) -> one.getKey().matches(key)).map(Map.Entry::getValue).toList();
	}

	private static Map<String, String> read(String file) {
		YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
		yaml.setResources(new FileSystemResource(file));
		Properties properties = Objects.requireNonNull(yaml.getObject());
		return properties.stringPropertyNames()
			.stream()
			.collect(Collectors.toMap(Function.identity(), (name) -> properties.getProperty(name, "")));
	}

}
