package io.github.hilo.autoconfigure;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.actuate.HiLoEndpoint;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.internal.data.DefaultHiLoBeforeConvertCallback;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.internal.mapping.AssignmentRule;
import io.github.hilo.internal.mapping.KnownTypes;
import io.github.hilo.internal.mapping.MappedSequenceNames;
import io.github.hilo.internal.mapping.MissingValues;
import io.github.hilo.internal.mapping.RavenNaming;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class HiLoAutoConfigurationTests {

	private static final Class<?>[] BEANS = { HiLoProperties.class, HiLoNamingStrategy.class, MappedSequenceNames.class,
			HiLoBeforeConvertCallback.class, HiLoIdGenerator.class, HiLoLifecycle.class, HiLoEndpoint.class };

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner contextRunner = this.database.contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoEndpointAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=hilo");

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
					.satisfies((failure) -> assertThat(getStackTrace(failure)).doesNotContain("s3cr3t"));
				assertThat(context.getBean(HiLoEngine.class).snapshot().toString()).contains("failure")
					.doesNotContain("s3cr3t");
			});
		assertThat(output).contains("Not every sequence of hilo.warm-up").doesNotContain("s3cr3t");
	}

	private static String getStackTrace(Throwable failure) {
		StringWriter trace = new StringWriter();
		failure.printStackTrace(new PrintWriter(trace));
		return trace.toString();
	}

	@ParameterizedTest
	@ValueSource(classes = { MongoClient.class, MongoDatabaseFactory.class })
	void backsOffWithout(Class<?> type) {
		this.contextRunner.withClassLoader(new FilteredClassLoader(type)).run(hasNoneOf(BEANS));
	}

	@Test
	void backsOffWithoutSpringData() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data")).run(hasNoneOf(BEANS));
	}

	@Test
	void backsOffWithoutAFactory() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(MongoAutoConfiguration.class, HiLoAutoConfiguration.class,
					HiLoEndpointAutoConfiguration.class))
			.withPropertyValues(this.database.connectionProperties())
			.run(hasNoneOf(BEANS));
	}

	@Test
	void withTwoFactoriesOfEqualRankTheFirstUseNamesTheWayOut() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(HiLoAutoConfiguration.class, HiLoEndpointAutoConfiguration.class))
			.withUserConfiguration(TwoFactories.class)
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
	void saysThatNoBeanNamesADatabase(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(HiLoAutoConfiguration.class, HiLoBackOffAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed());
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
			hasNoneOf(HiLoEngine.class, HiLoLifecycle.class, HiLoEndpoint.class).accept(context);
		});
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

	private static ContextConsumer<AssertableApplicationContext> hasNoneOf(Class<?>... types) {
		return (context) -> {
			assertThat(context).hasNotFailed();
			assertThat(types).allSatisfy((type) -> assertThat(context).doesNotHaveBean(type));
		};
	}

	record Order(@Nullable String id) {
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoFactories {

		@Bean
		MongoDatabaseFactory first() {
			return new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "first");
		}

		@Bean
		MongoDatabaseFactory second() {
			return new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "second");
		}

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
		HiLoBeforeConvertCallback users(MappedSequenceNames names, KnownTypes places) {
			return new DefaultHiLoBeforeConvertCallback(() -> mock(HiLoIdGenerator.class),
					new MissingValues(names, places, new AssignmentRule(false, false, List.of())), null, null);
		}

	}

}
