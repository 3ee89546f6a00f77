package io.github.hilo.autoconfigure;

import java.util.List;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.internal.actuate.HiLoEndpoint;
import io.github.hilo.internal.actuate.HiLoHealthIndicator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mapping.SavePlans;
import io.github.hilo.internal.mapping.RavenNaming;
import io.github.hilo.internal.metrics.HiLoMetrics;
import io.github.hilo.internal.save.DefaultHiLoBeforeConvertCallback;
import io.github.hilo.internal.save.GeneratorDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class HiLoAutoConfigurationTests {

	private static final Class<?>[] BEANS = { HiLoProperties.class, HiLoNamingStrategy.class,
			HiLoBeforeConvertCallback.class, HiLoIdGenerator.class, HiLoLifecycle.class, HiLoEndpoint.class,
			HiLoHealthIndicator.class, HiLoMetrics.class };

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner contextRunner = this.database.contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoEndpointAutoConfiguration.class, HiLoHealthAutoConfiguration.class,
				HiLoMetricsAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withInitializer((context) -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
		.withPropertyValues("management.endpoints.web.exposure.include=hilo");

	@Test
	void templateCanBeRegisteredAsAFinishedObject() {
		this.contextRunner
			.withInitializer((context) -> context.getBeanFactory()
				.registerSingleton("finished", mock(MongoTemplate.class, Answers.RETURNS_MOCKS)))
			.run((context) -> assertThat(context).hasSingleBean(HiLoEngine.class));
	}

	@Test
	void providesEverythingByDefault() {
		this.contextRunner.run((context) -> {
			assertThat(BEANS).allSatisfy((type) -> assertThat(context).hasSingleBean(type));
			assertThat(context).hasBean("hiLoIdGenerator").hasBean("hiLoNamingStrategy");
			assertThat(insertedId(context)).isEqualTo("order/1-A");
		});
	}

	@Test
	void startsWhereMongoDbIsDownAndTellsNoPassword(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("spring.mongodb.uri=mongodb://keeper:s3cr3t@localhost:1/?serverSelectionTimeoutMS=100",
					"hilo.timeout=200ms", "hilo.warm-up=orders")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				assertThat(catchThrowable(() -> generator.nextId("orders")))
					.isInstanceOf(HiLoUnavailableException.class)
					.extracting(Throwables::getStackTrace, STRING)
					.doesNotContain("s3cr3t");
				assertThat(context.getBean(HiLoEngine.class).snapshot().toString()).contains("failure")
					.doesNotContain("s3cr3t");
			});
		assertThat(output).contains("Not every sequence of hilo.warm-up").doesNotContain("s3cr3t");
	}

	/**
	 * Imported, since a class that is registered was loaded with its library in sight.
	 */
	@ParameterizedTest
	@CsvSource({ "org.springframework.boot.actuate, hiLoEndpoint",
			"org.springframework.boot.health, hiloHealthContributor", "io.micrometer, hiLoMetrics",
			"org.springframework.data.rest, hiLoBackendIdConverter" })
	void featureBacksOffWithoutItsLibrary(String library, String bean) {
		ApplicationContextRunner imported = new ApplicationContextRunner()
			.withUserConfiguration(ImportedAutoConfigurations.class)
			.withPropertyValues(this.database.connectionProperties())
			.withPropertyValues("management.endpoints.web.exposure.include=hilo");
		imported.run((context) -> assertThat(context).hasBean(bean));
		imported.withClassLoader(new FilteredClassLoader(library)).run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(bean);
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "management.endpoints.web.exposure.include=health", "management.endpoint.hilo.access=none" })
	void endpointThatNobodyCanReachIsNotThere(String property) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(context).hasSingleBean(HiLoIdGenerator.class)
				.doesNotHaveBean(HiLoEndpoint.class));
	}

	@Test
	void backsOffWithoutADriver() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(MongoClient.class)).run(hasNoneOf(BEANS));
	}

	@Test
	void backsOffWithoutSpringData() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data")).run(hasNoneOf(BEANS));
	}

	@Test
	void withTwoFactoriesOfEqualRankTheFirstUseNamesTheWayOut() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(HiLoAutoConfiguration.class, HiLoEndpointAutoConfiguration.class))
			.withBean("first", MongoDatabaseFactory.class,
					() -> new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "first"))
			.withBean("second", MongoDatabaseFactory.class,
					() -> new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "second"))
			.withBean(MongoClient.class, () -> MongoClients.create(MongoTestServer.uri()))
			.run((context) -> {
				HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
				HiLoSequence orders = generator.sequence("orders");
				assertThatExceptionOfType(NoSuchBeanDefinitionException.class).isThrownBy(orders::nextId)
					.withMessageContainingAll("no default database", "@Primary", "forDatabase");
				assertThat(generator.forDatabase(this.database.name()).nextId("orders")).isEqualTo(1);
			});
	}

	@Test
	void withoutAFactoryBacksOffAndSaysSo(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(MongoAutoConfiguration.class, HiLoAutoConfiguration.class,
					HiLoEndpointAutoConfiguration.class, HiLoBackOffAutoConfiguration.class))
			.withPropertyValues(this.database.connectionProperties())
			.run(hasNoneOf(BEANS));
		assertThat(output.getOut().lines()).filteredOn((line) -> line.contains("no bean names a database")).hasSize(1);
		this.contextRunner.withConfiguration(AutoConfigurations.of(HiLoBackOffAutoConfiguration.class))
			.run((context) -> assertThat(context).doesNotHaveBean(HiLoBackOffAutoConfiguration.class));
	}

	@Test
	void severalMappingContextsAreNotTakenForNone() {
		this.contextRunner.withBean("second", MongoMappingContext.class)
			.withBean("third", MongoMappingContext.class)
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void generatorOfTheUserTakesEndpointAndLifeCycleWithIt() {
		HiLoIdGenerator generator = mock(HiLoIdGenerator.class);
		this.contextRunner.withBean("users", HiLoIdGenerator.class, () -> generator).run((context) -> {
			assertThat(context).hasNotFailed().getBean(HiLoIdGenerator.class).isSameAs(generator);
			assertThat(context).hasSingleBean(HiLoBeforeConvertCallback.class);
			hasNoneOf(HiLoEngine.class, HiLoLifecycle.class, HiLoEndpoint.class, HiLoHealthIndicator.class,
					HiLoMetrics.class)
				.accept(context);
		});
	}

	@Test
	void endpointHealthAndMetricsOfTheUserAreUsed() {
		HiLoMetrics metrics = new HiLoMetrics(new SimpleMeterRegistry(), ObservationRegistry.NOOP);
		this.contextRunner.withBean("usersEndpoint", HiLoEndpoint.class, () -> mock(HiLoEndpoint.class))
			.withBean("hiloHealthIndicator", HealthIndicator.class, () -> () -> Health.unknown().build())
			.withBean("usersMetrics", HiLoMetrics.class, () -> metrics)
			.run((context) -> assertThat(context).hasSingleBean(HiLoEndpoint.class)
				.hasBean("usersEndpoint")
				.doesNotHaveBean(HiLoHealthIndicator.class)
				.hasBean("hiloHealthIndicator")
				.hasSingleBean(HiLoMetrics.class)
				.hasBean("usersMetrics"));
	}

	@Test
	void namingStrategyOfTheUserIsUsedAndMayNeedATemplate() {
		this.contextRunner.withPropertyValues("hilo.naming=raven")
			.withUserConfiguration(NamingByTemplate.class)
			.run((context) -> {
				assertThat(context).hasSingleBean(HiLoNamingStrategy.class).doesNotHaveBean(RavenNaming.class);
				context.getBean(MongoTemplate.class).insert(new org.bson.Document("_id", "order"), "names");
				assertThat(insertedId(context)).isEqualTo("order-1/1-A");
			});
	}

	@Test
	void callbackOfTheUserIsUsed() {
		this.contextRunner.withUserConfiguration(UserCallback.class).run((context) -> {
			assertThat(context).hasSingleBean(HiLoBeforeConvertCallback.class).hasBean("users");
			assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).doesNotContain("order");
		});
	}

	private static @Nullable String insertedId(AssertableApplicationContext context) {
		return context.getBean(MongoTemplate.class).insert(new Order(null)).id();
	}

	static ContextConsumer<AssertableApplicationContext> hasNoneOf(Class<?>... types) {
		return (context) -> {
			assertThat(context).hasNotFailed();
			assertThat(types).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type));
		};
	}

	record Order(@Nullable String id) {
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class, HiLoEndpointAutoConfiguration.class, HiLoHealthAutoConfiguration.class,
			MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			SimpleMetricsExportAutoConfiguration.class, HiLoMetricsAutoConfiguration.class,
			HiLoRestAutoConfiguration.class })
	static class ImportedAutoConfigurations {

	}

	@Configuration(proxyBeanMethods = false)
	static class NamingByTemplate {

		@Bean
		HiLoNamingStrategy naming(MongoTemplate template) {
			return (type, collection) -> collection + "-" + template.getCollection("names").countDocuments();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UserCallback {

		@Bean
		HiLoBeforeConvertCallback users(KnownTypes types) {
			return new DefaultHiLoBeforeConvertCallback(new SavePlans(types), null,
					new GeneratorDatabase(() -> mock(HiLoIdGenerator.class), null));
		}

	}

}
