package io.github.hilo.applications;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.fixture.WireFault;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.config.Scope;
import org.springframework.beans.factory.support.ScopeNotActiveException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Applications with templates of their own: ids are counted where the documents go.
 */
@Thorough
@Execution(ExecutionMode.CONCURRENT)
class TemplatesTests {

	private final ApplicationDatabase named = new ApplicationDatabase();

	private final ApplicationDatabase own = new ApplicationDatabase();

	private final ApplicationDatabase other = new ApplicationDatabase();

	private final ApplicationContextRunner application = Driver.SYNCHRONOUS.application(this.named);

	@ParameterizedTest
	@EnumSource
	void onlyTemplateIsTheDefault(Driver driver) {
		this.own.collection("crates").insertOne(new org.bson.Document("_id", 2L));
		driver.withTemplate(driver.application(this.named), "template", this.own).run((context) -> {
			assertThat(driver.save(context.getBean("template"), new Crate(null))).as("2 is stored")
				.isEqualTo(new Crate(3L));
			assertThat(context.getBean(HiLoIdGenerator.class).nextId(Crate.class)).isEqualTo(4);
			assertThat(this.own.counters()).containsExactly("Raven/HiLo/crates");
			assertThat(this.named.counters()).isEmpty();
		});
	}

	@ParameterizedTest
	@CsvSource({ "SYNCHRONOUS, false", "SYNCHRONOUS, true", "REACTIVE, false" })
	void eachOfTwoTemplatesCountsInItsOwnDatabase(Driver driver, boolean lazily) {
		(lazily ? ApplicationDatabase.lazily(twoTemplates(driver)) : twoTemplates(driver)).run((context) -> {
			saveInBoth(driver, context);
			assertThat(context.getBean(HiLoEngine.class).snapshot()).containsOnlyKeys(this.own.name(),
					this.other.name());
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			assertThat(generator.forDatabase(this.other.name()).nextId("crates")).isEqualTo(4);
			assertThat(generator.nextId("crates")).as("of the primary factory").isEqualTo(1);
		});
	}

	private ApplicationContextRunner twoTemplates(Driver driver) {
		return driver.withTemplate(driver.withTemplate(driver.application(this.named), "first", this.own), "second",
				this.other);
	}

	private void saveInBoth(Driver driver, ApplicationContext context) {
		this.own.collection("crates").insertOne(new org.bson.Document("_id", 1L));
		this.other.collection("crates").insertOne(new org.bson.Document("_id", 2L));
		for (String template : List.of("first", "second", "first")) {
			driver.save(context.getBean(template), new Crate(null));
		}
		assertThat(this.own.ids("crates")).containsExactly(1L, 2L, 3L);
		assertThat(this.other.ids("crates")).containsExactly(2L, 3L);
		assertThat(Stream.of(this.own, this.other).map(ApplicationDatabase::counters))
			.allSatisfy((counters) -> assertThat(counters).containsExactly("Raven/HiLo/crates"));
	}

	@Test
	void primaryTemplateIsTheDefaultAndSoIsTheOneOfSpringBootsName() {
		this.application.withBean("mongoTemplate", MongoTemplate.class, this.own::template)
			.withBean("primary", MongoTemplate.class, this.other::template, (definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(defaultDatabase(context)).isEqualTo(this.other.name()));
		this.application.withBean("mongoTemplate", MongoTemplate.class, this.own::template)
			.withBean("another", MongoTemplate.class, this.other::template)
			.run((context) -> assertThat(defaultDatabase(context)).isEqualTo(this.own.name()));
	}

	private static String defaultDatabase(ApplicationContext context) {
		context.getBean(HiLoIdGenerator.class).nextId("crates");
		return context.getBean(HiLoEngine.class).snapshot().keySet().iterator().next();
	}

	@Test
	void factoryAndTemplateDeclaredByHandNeedNoMappingContext() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HiLoAutoConfiguration.class))
			.withBean(MongoDatabaseFactory.class,
					() -> new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), this.own.name()))
			.withBean(MongoTemplate.class, this.own::template)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(MongoTemplate.class).insert(new Crate(null)).id()).isEqualTo(1);
				assertThat(context.getBean(HiLoIdGenerator.class).nextId(Crate.class)).isEqualTo(2);
			});
	}

	@Test
	void callbackThatSavesElsewhereLeavesTheSaveWhereItIs() {
		twoTemplates(Driver.SYNCHRONOUS).withBean(Audit.class).run((context) -> {
			context.getBean("first", MongoTemplate.class).insert(new Crate(null));
			assertThat(this.own.counters()).containsExactly("Raven/HiLo/crates");
			assertThat(this.other.counters()).containsExactly("Raven/HiLo/labels");
		});
	}

	@ParameterizedTest
	@EnumSource
	void templateThatAnEarlyBeanNeedsIsNotLost(Driver driver) {
		twoTemplates(driver)
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBean(BeanPostProcessor.class,
					() -> new EarlyPostProcessor(context.getBean("first"))))
			.run((context) -> saveInBoth(driver, context));
	}

	@Test
	void mockOfATemplateDoesNoHarm() {
		this.application.withBean("mock", MongoTemplate.class, () -> mock(MongoTemplate.class))
			.run((context) -> assertThat(context.getBean(HiLoIdGenerator.class).nextId("crates")).isEqualTo(1));
	}

	@Test
	void generatorOfTheApplicationIsAskedForTheDatabaseOfTheTemplate() {
		twoTemplates(Driver.SYNCHRONOUS).withBean(HiLoIdGenerator.class, InMemoryHiLoIdGenerator::new)
			.run((context) -> {
				for (String template : List.of("first", "second", "second")) {
					context.getBean(template, MongoTemplate.class).insert(new Crate(null));
				}
				assertThat(this.own.ids("crates")).containsExactly(1L);
				assertThat(this.other.ids("crates")).containsExactly(1L, 2L);
			});
	}

	@Test
	void templateOfAScopeIsAskedAgainByEachCaller() {
		this.application.withUserConfiguration(ScopedTemplate.class).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			MongoTemplate template = context.getBean("template", MongoTemplate.class);
			for (String database : List.of(this.own.name(), this.other.name(), this.own.name())) {
				ScopedTemplate.DATABASE.set(database);
				template.save(new Crate(null));
				generator.nextId("crates");
			}
			assertThat(this.own.ids("crates")).containsExactly(1L, 3L);
			assertThat(this.other.ids("crates")).containsExactly(1L);
			assertThat(this.named.counters()).isEmpty();
		});
	}

	/**
	 * As jobs do.
	 */
	@Test
	void databaseIsFoundByItsNameOutsideOfTheScope() {
		ScopedTemplate.DATABASE.remove();
		this.application.withUserConfiguration(ScopedTemplate.class).run((context) -> {
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class);
			assertThat(generator.forDatabase(this.named.name()).nextId("crates")).isEqualTo(1);
			assertThat(this.named.counters()).hasSize(1);
		});
	}

	@Test
	void silentClusterHoldsNothingThatAnotherNeeds() {
		this.application.withPropertyValues("hilo.timeout=10m")
			.withBean("mongoTemplate", MongoTemplate.class, this.own::template)
			.run((context) -> {
				// Closed before the context, which would wait for answers.
				try (FakePrimary silent = new FakePrimary(); MongoClient client = MongoClients.create(silent.uri())) {
					silent.failAlways("reserve", WireFault.LOST);
					silent.failAlways("find", WireFault.LOST);
					MongoTemplate there = new MongoTemplate(client, FakePrimary.DATABASE);
					context.getBeanFactory().autowireBean(there);
					AtomicInteger collections = new AtomicInteger();
					Callers<Crate> waiting = Callers
						.start(100, () -> there.insert(new Crate(null), "crates" + collections.incrementAndGet()))
						.awaitWaiting();
					MongoTemplate here = context.getBean("mongoTemplate", MongoTemplate.class);
					assertThat(Callers
						.start(20, () -> here.insert(new Crate(null), "crates" + collections.incrementAndGet()))
						.answers()).containsOnly(new Crate(1L));
					assertThat(waiting.awaitWaiting()).as("still").isNotNull();
				}
			});
	}

	@Document("labels")
	record Label(@Id @Nullable String id) {
	}

	/**
	 * A template for each thread's database.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ScopedTemplate {

		static final ThreadLocal<String> DATABASE = new ThreadLocal<>();

		@Bean
		static CustomScopeConfigurer scope() {
			CustomScopeConfigurer configurer = new CustomScopeConfigurer();
			Map<String, Object> templates = new HashMap<>();
			Scope scope = mock(Scope.class);
			given(scope.get(anyString(), any())).willAnswer((call) -> {
				if (DATABASE.get() == null) {
					throw new ScopeNotActiveException("template", "database", new IllegalStateException("no tenant"));
				}
				return templates.computeIfAbsent(DATABASE.get(),
						(absent) -> call.<ObjectFactory<?>>getArgument(1).getObject());
			});
			configurer.addScope("database", scope);
			return configurer;
		}

		@Bean
		@org.springframework.context.annotation.Scope(scopeName = "database", proxyMode = ScopedProxyMode.TARGET_CLASS)
		MongoTemplate template(MongoClient client) {
			return new MongoTemplate(client, DATABASE.get());
		}

	}

	@Order(0)
	record Audit(ApplicationContext context) implements BeforeConvertCallback<Crate> {

		@Override
		public Crate onBeforeConvert(Crate crate, String collection) {
			this.context.getBean("second", MongoTemplate.class).insert(new Label(null));
			return crate;
		}

	}

	record EarlyPostProcessor(Object template) implements BeanPostProcessor {
	}

}
