package io.github.hilo.autoconfigure;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.rest.HiLoBackendIdConverter;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.rest.webmvc.spi.BackendIdConverter;

import static org.assertj.core.api.Assertions.assertThat;

class HiLoRestAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationDatabase().contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoRestAutoConfiguration.class));

	@Test
	void runShouldHaveConverter() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(HiLoBackendIdConverter.class));
	}

	@Test
	void runShouldHaveConverterWhicheverTypesGetIds() {
		this.contextRunner.withPropertyValues("hilo.assign-ids=none")
			.run((context) -> assertThat(context).hasSingleBean(HiLoBackendIdConverter.class));
	}

	@Test
	void runShouldHaveConverterWithAGeneratorOfTheUsers() {
		this.contextRunner.withBean(HiLoIdGenerator.class, InMemoryHiLoIdGenerator::new)
			.run((context) -> assertThat(context).hasSingleBean(HiLoBackendIdConverter.class));
	}

	@Test
	void runWithoutSpringDataRestShouldNotHaveConverter() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data.rest"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(HiLoIdGenerator.class)
				.doesNotHaveBean("hiLoBackendIdConverter"));
	}

	@Test
	void converterOfTheUsersIsAskedFirst() {
		this.contextRunner.withUserConfiguration(IdsAsTheyAre.class)
			.run((context) -> assertThat(ordered(context)).first()
				.isSameAs(BackendIdConverter.DefaultIdConverter.INSTANCE));
	}

	/**
	 * As Spring Data REST has them injected.
	 */
	private static Iterable<Object> ordered(BeanFactory beans) {
		return beans.getBeanProvider(BackendIdConverter.class).orderedStream().<Object>map((bean) -> bean).toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class IdsAsTheyAre {

		@Bean
		BackendIdConverter ids() {
			return BackendIdConverter.DefaultIdConverter.INSTANCE;
		}

	}

}
