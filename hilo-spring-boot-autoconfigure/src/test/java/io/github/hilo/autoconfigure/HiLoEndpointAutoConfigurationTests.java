package io.github.hilo.autoconfigure;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.actuate.HiLoEndpoint;
import io.github.hilo.fixture.ApplicationDatabase;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

class HiLoEndpointAutoConfigurationTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=hilo";

	private final ApplicationContextRunner contextRunner = new ApplicationDatabase().contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoEndpointAutoConfiguration.class))
		.withInitializer(
				(context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()));

	@Test
	void runWhenNotExposedShouldNotHaveEndpointBean() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(HiLoIdGenerator.class)
			.doesNotHaveBean(HiLoEndpoint.class));
	}

	@Test
	void runWhenAccessIsNoneShouldNotHaveEndpointBean() {
		this.contextRunner.withPropertyValues(EXPOSED, "management.endpoint.hilo.access=none")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HiLoEndpoint.class));
	}

	@Test
	void runWithoutActuatorShouldNotHaveEndpointBean() {
		// Imported, since a class that is registered was loaded with the actuator in
		// sight.
		new ApplicationContextRunner().withUserConfiguration(ImportedAutoConfiguration.class)
			.withPropertyValues(new ApplicationDatabase().connectionProperties())
			.withPropertyValues(EXPOSED)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasSingleBean(HiLoIdGenerator.class)
				.doesNotHaveBean(HiLoEndpoint.class));
	}

	@Test
	void runWithEndpointOfTheUserShouldBackOff() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.withBean("users", HiLoEndpoint.class, () -> mock(HiLoEndpoint.class))
			.run((context) -> assertThat(context).hasSingleBean(HiLoEndpoint.class).hasBean("users"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class, HiLoEndpointAutoConfiguration.class })
	static class ImportedAutoConfiguration {

	}

}
