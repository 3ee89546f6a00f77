package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

class ConfigurationMetadataTests {

	@Test
	void everyPropertyHasADescriptionThatIsASentence() throws IOException {
		assertThat(properties()).isNotEmpty()
			.allSatisfy((name, property) -> assertThat(property.path("description").asString("")).as(name)
				.matches("[A-Z].*\\."));
	}

	@Test
	void everyHintIsAboutAProperty() throws IOException {
		List<String> names = new ArrayList<>();
		metadata().path("hints")
			.forEach((hint) -> names.add(hint.path("name").asString().replaceFirst("\\.keys$", "")));
		assertThat(names).isNotEmpty().allMatch(properties()::containsKey);
	}

	/**
	 * Reads the metadata of the properties of this project.
	 * @return the metadata by property
	 */
	static Map<String, JsonNode> properties() throws IOException {
		Map<String, JsonNode> properties = new TreeMap<>();
		metadata().path("properties").forEach((property) -> {
			String name = property.path("name").asString();
			if (name.startsWith(HiLoProperties.PREFIX + ".")) {
				properties.put(name, property);
			}
		});
		return properties;
	}

	private static JsonNode metadata() throws IOException {
		try (InputStream json = new ClassPathResource("META-INF/spring-configuration-metadata.json",
				HiLoProperties.class.getClassLoader())
			.getInputStream()) {
			return JsonMapper.shared().readTree(json);
		}
	}

}
