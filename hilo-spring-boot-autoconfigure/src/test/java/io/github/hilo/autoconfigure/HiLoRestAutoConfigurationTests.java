package io.github.hilo.autoconfigure;

import io.github.hilo.HiLo;
import io.github.hilo.fixture.ApplicationDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoManagedTypes;
import org.springframework.data.mongodb.core.mapping.DBRef;
import org.springframework.data.rest.webmvc.spi.BackendIdConverter;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class HiLoRestAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationDatabase().contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoRestAutoConfiguration.class));

	@Test
	void converterOfTheUsersIsAskedFirst() {
		this.contextRunner.withUserConfiguration(IdsAsTheyAre.class)
			.run((context) -> assertThat(ordered(context)).hasSize(2)
				.first()
				.isSameAs(BackendIdConverter.DefaultIdConverter.INSTANCE));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			hilo.node-tag=A                                                                 | true
			hilo.identity-parts-separator=-                                                 | false
			hilo.sequences.order.identity-parts-separator=-                                 | false
			hilo.identity-parts-separator=-,hilo.sequences.order.identity-parts-separator=/ | true
			""")
	void associationsThatSpringDataRestWouldLoseAreNamedAtStartUp(String properties, boolean named,
			CapturedOutput output) {
		this.contextRunner
			.withBean(MongoManagedTypes.class, () -> MongoManagedTypes.from(Invoice.class, Order.class, Parcel.class))
			.withPropertyValues(properties.split(","))
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.contains("does not store an association")))
			.singleElement()
			.asString()
			.contains(named ? "[HiLoRestAutoConfigurationTests.Invoice.order, " : "201 or 204: [Hi",
					"HiLoRestAutoConfigurationTests.Invoice.parcel]", "hilo.identity-parts-separator to '-'");
	}

	/**
	 * As Spring Data REST has them injected.
	 */
	private static Iterable<Object> ordered(BeanFactory beans) {
		return beans.getBeanProvider(BackendIdConverter.class).orderedStream().<Object>map((bean) -> bean).toList();
	}

	record Order(@Nullable String id) {
	}

	@HiLo("eu/parcels")
	record Parcel(@Nullable String id) {
	}

	record Invoice(@Nullable Long id, @DBRef Order order, @DBRef Parcel parcel) {
	}

	@Configuration(proxyBeanMethods = false)
	static class IdsAsTheyAre {

		@Bean
		BackendIdConverter ids() {
			return BackendIdConverter.DefaultIdConverter.INSTANCE;
		}

	}

}
