package io.github.hilo.applications;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.annotation.Id;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Templates that cannot be told, or only late: no id is counted in another database than
 * the one that its document goes to, unless nobody could want another.
 */
@Execution(ExecutionMode.CONCURRENT)
class UnknownTemplatesTests {

	private final ApplicationDatabase own = new ApplicationDatabase();

	private final ApplicationDatabase other = new ApplicationDatabase();

	private final ApplicationContextRunner application = this.own.contextRunner()
		.withPropertyValues("other=" + this.other.name());

	private final ApplicationContextRunner reactiveApplication = ReactiveApplications
		.withReactiveDriver(this.own.connectionProperties())
		.withPropertyValues("other=" + this.other.name());

	@ParameterizedTest
	@ValueSource(strings = { "false", "true" })
	void templateByHandIsRefusedWhereTemplatesAreOfTwoDatabases(String lazily) {
		this.application.withPropertyValues("spring.main.lazy-initialization=" + lazily)
			.withUserConfiguration(Another.class)
			.run((context) -> {
				MongoTemplate byHand = byHand(context, this.other);
				assertRefused(() -> byHand.save(new Crate(null)), "collection 'crates'");
				assertThat(byHand.save(new Crate(5L))).as("has an id").isEqualTo(new Crate(5L));
				assertThat(context.getBean("another", MongoTemplate.class).save(new Crate(null)).id()).isEqualTo(6);
			});
	}

	@Test
	void reactiveTemplateByHandIsRefusedWhereTemplatesAreOfTwoDatabases() {
		this.reactiveApplication.withUserConfiguration(AnotherReactive.class).run((context) -> {
			ReactiveMongoTemplate byHand = reactiveByHand(context, this.other);
			assertRefused(() -> byHand.save(new Crate(null)).block(), "collection 'crates'");
			assertThat(byHand.save(new Crate(5L)).block()).as("has an id").isEqualTo(new Crate(5L));
			assertThat(context.getBean("another", ReactiveMongoTemplate.class).save(new Crate(null)).block())
				.isEqualTo(new Crate(6L));
		});
	}

	@Test
	void factoryOfAnotherDatabaseCounts() {
		this.application.withBean("only", MongoTemplate.class, () -> template(this.other))
			.run((context) -> assertRefused(() -> byHand(context, this.other).save(new Crate(null)), "'crates'"));
	}

	@Test
	void prototypeThatNobodyHasAskedForCounts() {
		this.application
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBean("prototype",
					MongoTemplate.class, () -> template(this.other),
					(definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE)))
			.withBean("mongoTemplate", MongoTemplate.class, () -> template(this.own))
			.run((context) -> {
				assertRefused(() -> byHand(context, this.other).save(new Crate(null)), "'crates'");
				context.getBean("prototype", MongoTemplate.class).save(new Crate(null));
				assertThat(this.other.counters()).containsExactly("Raven/HiLo/crates");
			});
	}

	@Test
	void templateOfAParentCounts() {
		new ApplicationContextRunner().withBean("parents", MongoTemplate.class, () -> template(this.other))
			.run((parent) -> this.application.withParent(parent)
				.withBean("mongoTemplate", MongoTemplate.class, () -> template(this.own))
				.run((context) -> assertRefused(() -> byHand(context, this.other).save(new Crate(null)), "'crates'")));
	}

	@Test
	void generatorOfTheApplicationIsNotAskedForAnyDatabaseEither() {
		this.application.withUserConfiguration(Another.class)
			.withBean(HiLoIdGenerator.class, InMemoryHiLoIdGenerator::new)
			.run((context) -> assertRefused(() -> byHand(context, this.other).save(new Crate(null)), "'crates'"));
	}

	@Test
	void saveInsideACallbackIsNotTakenForThatOfTheOuterTemplate() {
		saving((context, collection) -> byHand(context, this.other).save(new Label(null))).run((context) -> {
			assertRefused(() -> context.getBean("mongoTemplate", MongoTemplate.class).save(new Crate(null)),
					"collection 'labels'");
			assertThat(this.own.ids("crates")).isEmpty();
		});
	}

	@Test
	void reactiveSaveInsideACallbackIsNotTakenForThatOfTheOuterTemplate() {
		savingReactively((context, collection) -> reactiveByHand(context, this.other).save(new Label(null)))
			.run((context) -> {
				assertRefused(() -> context.getBean("reactiveMongoTemplate", ReactiveMongoTemplate.class)
					.save(new Crate(null))
					.block(), "collection 'labels'");
				assertThat(this.own.ids("crates")).isEmpty();
			});
	}

	@Test
	void saveThatPassesTheCollectionOnFailsTheOuterOne() {
		saving((context, collection) -> byHand(context, this.other).save(new Label(null), collection))
			.run((context) -> assertUnknown(
					() -> context.getBean("mongoTemplate", MongoTemplate.class).save(new Crate(null))));
		assertThat(this.own.ids("crates")).isEmpty();
	}

	@Test
	void reactiveSaveThatPassesTheCollectionOnFailsTheOuterOne() {
		savingReactively((context, collection) -> reactiveByHand(context, this.other).save(new Label(null), collection))
			.run((context) -> assertUnknown(() -> context.getBean("reactiveMongoTemplate", ReactiveMongoTemplate.class)
				.save(new Crate(null))
				.block()));
		assertThat(this.own.ids("crates")).isEmpty();
	}

	@Test
	void saveThatNeedsNoIdLeavesTheOuterOneAsItIs() {
		saving((context, collection) -> byHand(context, this.other).save(new Label(7L), collection))
			.run((context) -> context.getBean("mongoTemplate", MongoTemplate.class).save(new Crate(null)));
		savingReactively((context, collection) -> reactiveByHand(context, this.other).save(new Label(8L), collection))
			.run((context) -> context.getBean("reactiveMongoTemplate", ReactiveMongoTemplate.class)
				.save(new Crate(null))
				.block());
		assertThat(this.own.ids("crates")).containsExactly(1L, 2L);
		assertThat(this.other.ids("crates")).containsExactly(7L, 8L);
	}

	private ApplicationContextRunner saving(BiFunction<ApplicationContext, String, Label> save) {
		return this.application.withUserConfiguration(Another.class)
			.withInitializer(
					(context) -> context.getBeanFactory().registerSingleton("saver", new Saver(context, save)));
	}

	private ApplicationContextRunner savingReactively(BiFunction<ApplicationContext, String, Mono<Label>> save) {
		return this.reactiveApplication.withUserConfiguration(AnotherReactive.class)
			.withInitializer(
					(context) -> context.getBeanFactory().registerSingleton("saver", new ReactiveSaver(context, save)));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void beanWhoseCallbacksAreSetLateCountsInItsOwnDatabase(boolean proxied) {
		this.other.collection("crates").insertOne(new org.bson.Document("_id", 1L));
		ApplicationContextRunner late = this.application.withUserConfiguration(Another.class, Late.class);
		(proxied ? late.withBean(Proxying.class) : late).run((context) -> {
			context.getBean("another", MongoTemplate.class).save(new Crate(null));
			assertThat(this.other.ids("crates")).containsExactly(1L, 2L);
			assertThat(this.own.counters()).isEmpty();
		});
	}

	@Test
	void reactiveBeanWhoseCallbacksAreSetLateCountsInItsOwnDatabase() {
		this.other.collection("crates").insertOne(new org.bson.Document("_id", 1L));
		this.reactiveApplication.withUserConfiguration(AnotherReactive.class, LateReactive.class).run((context) -> {
			context.getBean("another", ReactiveMongoTemplate.class).save(new Crate(null)).block();
			assertThat(this.other.ids("crates")).containsExactly(1L, 2L);
			assertThat(this.own.counters()).isEmpty();
		});
	}

	@Test
	void singletonThatIsRegisteredAsItIsCountsInItsOwnDatabase() {
		this.other.collection("crates").insertOne(new org.bson.Document("_id", 1L));
		this.application.withUserConfiguration(Registering.class).run((context) -> {
			context.getBean("registered", MongoTemplate.class).save(new Crate(null));
			assertThat(this.other.ids("crates")).containsExactly(1L, 2L);
			assertThat(this.own.counters()).isEmpty();
		});
	}

	@Test
	void reactiveSingletonThatIsRegisteredAsItIsCountsInItsOwnDatabase() {
		this.other.collection("crates").insertOne(new org.bson.Document("_id", 1L));
		this.reactiveApplication.withUserConfiguration(RegisteringReactive.class).run((context) -> {
			context.getBean("registered", ReactiveMongoTemplate.class).save(new Crate(null)).block();
			assertThat(this.other.ids("crates")).containsExactly(1L, 2L);
			assertThat(this.own.counters()).isEmpty();
		});
	}

	@Test
	void templatesOfOneDatabaseLetOneByHandCountInIt() {
		try (MongoClient client = MongoClients.create(MongoTestServer.uri())) {
			this.application.withBean("again", MongoTemplate.class, () -> new MongoTemplate(client, this.own.name()))
				.withBean("mongoTemplate", MongoTemplate.class, () -> template(this.own))
				.run((context) -> {
					assertThat(byHand(context, this.own).save(new Crate(null)).id()).isEqualTo(1);
					assertThat(context.getBean("again", MongoTemplate.class).save(new Crate(null)).id()).isEqualTo(2);
				});
		}
	}

	@Test
	void reactiveTemplatesOfOneDatabaseLetOneByHandCountInIt() {
		this.reactiveApplication.withBean("again", ReactiveMongoTemplate.class, () -> reactiveTemplate(this.own))
			.withBean("reactiveMongoTemplate", ReactiveMongoTemplate.class, () -> reactiveTemplate(this.own))
			.run((context) -> {
				assertThat(reactiveByHand(context, this.own).save(new Crate(null)).block()).isEqualTo(new Crate(1L));
				assertThat(context.getBean("again", ReactiveMongoTemplate.class).save(new Crate(null)).block())
					.isEqualTo(new Crate(2L));
			});
	}

	/**
	 * Nobody can tell which databases it resolves.
	 */
	@Test
	void factoryThatChoosesTheDatabaseCountsOnce() {
		String[] database = { this.own.name() };
		MongoDatabaseFactory factory = new SimpleMongoClientDatabaseFactory(MongoTestServer.client(), "any") {

			@Override
			public MongoDatabase getMongoDatabase() {
				return getMongoDatabase(database[0]);
			}

		};
		this.application.withBean(MongoDatabaseFactory.class, () -> factory).run((context) -> {
			MongoTemplate byHand = new MongoTemplate(factory);
			byHand.setApplicationContext(context);
			assertThat(byHand.save(new Crate(null)).id()).isEqualTo(1);
			database[0] = this.other.name();
			assertThat(byHand.save(new Crate(null)).id()).isEqualTo(1);
			assertThat(this.other.ids("crates")).containsExactly(1L);
		});
	}

	@Test
	void callbackWithAGeneratorIsExempt() {
		this.application.withUserConfiguration(Another.class).run((context) -> {
			MongoTemplate byHand = template(this.other);
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class).forDatabase(this.other.name());
			byHand.setEntityCallbacks(
					EntityCallbacks.create(context.getBean(HiLoBeforeConvertCallback.class).withGenerator(generator)));
			assertThat(byHand.save(new Crate(null)).id()).isEqualTo(1);
			assertThat(this.other.counters()).containsExactly("Raven/HiLo/crates");
		});
		this.reactiveApplication.withUserConfiguration(AnotherReactive.class).run((context) -> {
			ReactiveMongoTemplate byHand = reactiveTemplate(this.other);
			ReactiveHiLoIdGenerator generator = context.getBean(ReactiveHiLoIdGenerator.class)
				.forDatabase(this.other.name());
			byHand.setEntityCallbacks(ReactiveEntityCallbacks
				.create(context.getBean(ReactiveHiLoBeforeConvertCallback.class).withGenerator(generator)));
			assertThat(byHand.save(new Crate(null)).block()).isEqualTo(new Crate(2L));
		});
	}

	private void assertRefused(ThrowingCallable save, String place) {
		assertUnknown(save).withMessageContaining(place);
		assertThat(Stream.of(this.own, this.other).flatMap((database) -> database.counters().stream())).isEmpty();
	}

	private static ThrowableAssertAlternative<IllegalStateException> assertUnknown(ThrowingCallable save) {
		return assertThatIllegalStateException().isThrownBy(save)
			.withMessageContainingAll("It cannot be told which template saves to", "several databases",
					"Make the template a bean", "withGenerator");
	}

	private static MongoTemplate template(ApplicationDatabase database) {
		return new MongoTemplate(MongoTestServer.client(), database.name());
	}

	private static MongoTemplate byHand(ApplicationContext context, ApplicationDatabase database) {
		MongoTemplate template = template(database);
		template.setApplicationContext(context);
		return template;
	}

	private static ReactiveMongoTemplate reactiveTemplate(ApplicationDatabase database) {
		return new ReactiveMongoTemplate(new SimpleReactiveMongoDatabaseFactory(
				com.mongodb.reactivestreams.client.MongoClients.create(MongoTestServer.uri()), database.name()));
	}

	private static ReactiveMongoTemplate reactiveByHand(ApplicationContext context, ApplicationDatabase database) {
		ReactiveMongoTemplate template = reactiveTemplate(database);
		template.setApplicationContext(context);
		return template;
	}

	private static ApplicationDatabase other(Environment environment) {
		return new ApplicationDatabase(environment.getRequiredProperty("other"));
	}

	@Document("crates")
	record Crate(@Id @Nullable Long id) {
	}

	@Document("labels")
	record Label(@Id @Nullable Long id) {
	}

	/**
	 * A template beside that of Spring Boot, of which there is none otherwise.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Another {

		@Bean
		MongoTemplate mongoTemplate(MongoClient client, Environment environment) {
			return new MongoTemplate(client, environment.getRequiredProperty("spring.mongodb.database"));
		}

		@Bean
		MongoTemplate another(Environment environment) {
			return template(other(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnotherReactive {

		@Bean
		ReactiveMongoTemplate reactiveMongoTemplate(Environment environment) {
			return reactiveTemplate(
					new ApplicationDatabase(environment.getRequiredProperty("spring.mongodb.database")));
		}

		@Bean
		ReactiveMongoTemplate another(Environment environment) {
			return reactiveTemplate(other(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Late {

		@Bean
		InitializingBean late(ApplicationContext context, List<MongoTemplate> templates) {
			return () -> templates.forEach((template) -> template.setEntityCallbacks(EntityCallbacks.create(context)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LateReactive {

		@Bean
		InitializingBean late(ApplicationContext context, List<ReactiveMongoTemplate> templates) {
			return () -> templates
				.forEach((template) -> template.setEntityCallbacks(ReactiveEntityCallbacks.create(context)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Registering {

		@Bean
		InitializingBean registering(ConfigurableListableBeanFactory beans, ApplicationContext context,
				Environment environment) {
			return () -> beans.registerSingleton("registered", byHand(context, other(environment)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RegisteringReactive {

		@Bean
		InitializingBean registering(ConfigurableListableBeanFactory beans, ApplicationContext context,
				Environment environment) {
			return () -> beans.registerSingleton("registered", reactiveByHand(context, other(environment)));
		}

	}

	@Order(0)
	record Saver(ApplicationContext context,
			BiFunction<ApplicationContext, String, Label> save) implements BeforeConvertCallback<Crate> {

		@Override
		public Crate onBeforeConvert(Crate crate, String collection) {
			assertThat(this.save.apply(this.context, collection)).isNotNull();
			return crate;
		}

	}

	@Order(0)
	record ReactiveSaver(ApplicationContext context,
			BiFunction<ApplicationContext, String, Mono<Label>> save) implements ReactiveBeforeConvertCallback<Crate> {

		@Override
		public Publisher<Crate> onBeforeConvert(Crate crate, String collection) {
			return this.save.apply(this.context, collection).thenReturn(crate);
		}

	}

	static class Proxying implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			if (!(bean instanceof MongoTemplate)) {
				return bean;
			}
			ProxyFactory proxy = new ProxyFactory(bean);
			proxy.setProxyTargetClass(true);
			return proxy.getProxy();
		}

	}

}
