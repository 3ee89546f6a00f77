package io.github.hilo.applications;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.data.ReactiveHiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.data.annotation.Id;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
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

	private final ApplicationContextRunner application = Driver.SYNCHRONOUS.application(this.own);

	@ParameterizedTest
	@EnumSource
	void templateByHandIsRefusedWhereTemplatesAreOfTwoDatabases(Driver driver) {
		twoTemplates(driver).run((context) -> {
			Object byHand = byHand(driver, context, this.other);
			assertRefused(() -> driver.save(byHand, new Crate(null)), "collection 'crates'");
			assertThat(driver.save(byHand, new Crate(5L))).as("has an id").isEqualTo(new Crate(5L));
			assertThat(driver.save(context.getBean("another"), new Crate(null))).isEqualTo(new Crate(6L));
		});
	}

	@Test
	void factoryOfAnotherDatabaseCounts() {
		this.application.withBean("only", MongoTemplate.class, this.other::template)
			.run((context) -> assertRefused(() -> byHand(context).save(new Crate(null)), "'crates'"));
	}

	@Test
	void templateThatIsMadeLaterCounts() {
		twoTemplates(Driver.SYNCHRONOUS)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				assertRefused(() -> byHand(context).save(new Crate(null)), "'crates'");
				context.getBean("another", MongoTemplate.class).save(new Crate(null));
				assertThat(this.other.counters()).containsExactly("Raven/HiLo/crates");
			});
	}

	@Test
	void prototypeThatNobodyHasAskedForCounts() {
		this.application
			.withBean("prototype", MongoTemplate.class, this.other::template,
					(definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE))
			.withBean("mongoTemplate", MongoTemplate.class, this.own::template)
			.run((context) -> {
				assertRefused(() -> byHand(context).save(new Crate(null)), "'crates'");
				context.getBean("prototype", MongoTemplate.class).save(new Crate(null));
				assertThat(this.other.counters()).containsExactly("Raven/HiLo/crates");
			});
	}

	@Test
	void templateOfAParentCounts() {
		new ApplicationContextRunner().withBean("parents", MongoTemplate.class, this.other::template)
			.run((parent) -> this.application.withParent(parent)
				.withBean("mongoTemplate", MongoTemplate.class, this.own::template)
				.run((context) -> assertRefused(() -> byHand(context).save(new Crate(null)), "'crates'")));
	}

	@Test
	void generatorOfTheApplicationIsNotAskedForAnyDatabaseEither() {
		twoTemplates(Driver.SYNCHRONOUS).withBean(HiLoIdGenerator.class, InMemoryHiLoIdGenerator::new)
			.run((context) -> assertRefused(() -> byHand(context).save(new Crate(null)), "'crates'"));
	}

	@ParameterizedTest
	@EnumSource
	void saveInsideACallbackIsNotTakenForThatOfTheOuterTemplate(Driver driver) {
		saving(driver, (context) -> byHand(driver, context, this.other)).run((context) -> {
			assertRefused(() -> driver.save(context.getBean(driver.usualName), new Crate(null)), "collection 'crates'");
			assertThat(this.own.ids("crates")).isEmpty();
		});
	}

	@ParameterizedTest
	@EnumSource
	void saveInsideACallbackCountsInTheDatabaseOfItsTemplate(Driver driver) {
		this.other.collection("crates").insertOne(new org.bson.Document("_id", 6L));
		saving(driver, (context) -> context.getBean("another"))
			.run((context) -> driver.save(context.getBean(driver.usualName), new Crate(null)));
		assertThat(this.own.ids("crates")).containsExactly(1L);
		assertThat(this.other.ids("crates")).containsExactly(6L, 7L);
	}

	/**
	 * Saves another document to the same collection of another template, and passes the
	 * collection's name on.
	 */
	private ApplicationContextRunner saving(Driver driver, Function<ApplicationContext, Object> template) {
		return twoTemplates(driver).withInitializer((context) -> {
			Function<String, Mono<Object>> save = (collection) -> driver.saving(template.apply(context),
					new Label(null), collection);
			context.getBeanFactory()
				.registerSingleton("saver", (driver == Driver.REACTIVE) ? new ReactiveSaver(save) : new Saver(save));
		});
	}

	@ParameterizedTest
	@EnumSource
	void beanThatIsGivenTheCallbacksOfItsContextIsRefusedAndNotOnceThatIsLeftOut(Driver driver) {
		initializing(twoTemplates(driver), (context) -> driver.setCallbacks(context.getBean("another"), context)).run(
				(context) -> assertRefused(() -> driver.save(context.getBean("another"), new Crate(null)), "'crates'"));
		twoTemplates(driver).run((context) -> driver.save(context.getBean("another"), new Crate(null)));
		assertThat(this.other.counters()).containsExactly("Raven/HiLo/crates");
	}

	@ParameterizedTest
	@EnumSource
	void singletonThatIsRegisteredAsItIsIsRefused(Driver driver) {
		initializing(driver.withTemplate(driver.application(this.own), driver.usualName, this.own),
				(context) -> ((GenericApplicationContext) context).getBeanFactory()
					.registerSingleton("registered", byHand(driver, context, this.other)))
			.run((context) -> assertRefused(() -> driver.save(context.getBean("registered"), new Crate(null)),
					"'crates'"));
	}

	private static ApplicationContextRunner initializing(ApplicationContextRunner application,
			Consumer<ApplicationContext> step) {
		return application.withInitializer((context) -> ((GenericApplicationContext) context)
			.registerBean(InitializingBean.class, () -> () -> step.accept(context)));
	}

	@ParameterizedTest
	@EnumSource
	void templatesOfOneDatabaseLetOneByHandCountInIt(Driver driver) {
		driver
			.withTemplate(driver.withTemplate(driver.application(this.own), "again", this.own), driver.usualName,
					this.own)
			.run((context) -> {
				assertThat(driver.save(byHand(driver, context, this.own), new Crate(null))).isEqualTo(new Crate(1L));
				assertThat(driver.save(context.getBean("again"), new Crate(null))).isEqualTo(new Crate(2L));
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
		twoTemplates(Driver.SYNCHRONOUS).run((context) -> {
			MongoTemplate byHand = this.other.template();
			HiLoIdGenerator generator = context.getBean(HiLoIdGenerator.class).forDatabase(this.other.name());
			byHand.setEntityCallbacks(
					EntityCallbacks.create(context.getBean(HiLoBeforeConvertCallback.class).withGenerator(generator)));
			assertThat(byHand.save(new Crate(null)).id()).isEqualTo(1);
			assertThat(this.other.counters()).containsExactly("Raven/HiLo/crates");
		});
		twoTemplates(Driver.REACTIVE).run((context) -> {
			ReactiveMongoTemplate byHand = (ReactiveMongoTemplate) Driver.REACTIVE.template(this.other);
			ReactiveHiLoIdGenerator generator = context.getBean(ReactiveHiLoIdGenerator.class)
				.forDatabase(this.other.name());
			byHand.setEntityCallbacks(ReactiveEntityCallbacks
				.create(context.getBean(ReactiveHiLoBeforeConvertCallback.class).withGenerator(generator)));
			assertThat(byHand.save(new Crate(null)).block()).isEqualTo(new Crate(2L));
		});
	}

	/**
	 * A template beside that of Spring Boot, of which there is none otherwise.
	 */
	private ApplicationContextRunner twoTemplates(Driver driver) {
		return driver.withTemplate(driver.withTemplate(driver.application(this.own), driver.usualName, this.own),
				"another", this.other);
	}

	private void assertRefused(ThrowingCallable save, String place) {
		assertUnknown(save).withMessageContaining(place);
		assertThat(Stream.of(this.own, this.other).flatMap((database) -> database.counters().stream())).isEmpty();
	}

	private static ThrowableAssertAlternative<IllegalStateException> assertUnknown(ThrowingCallable save) {
		return assertThatIllegalStateException().isThrownBy(save)
			.withMessageContainingAll("It cannot be told which template saves to", "several databases",
					"Make the template a bean, and leave out", "EntityCallbacks.create(context)", "withGenerator");
	}

	private MongoTemplate byHand(ApplicationContext context) {
		return (MongoTemplate) byHand(Driver.SYNCHRONOUS, context, this.other);
	}

	private static Object byHand(Driver driver, ApplicationContext context, ApplicationDatabase database) {
		ApplicationContextAware template = driver.template(database);
		template.setApplicationContext(context);
		return template;
	}

	@Document("labels")
	record Label(@Id @Nullable Long id) {

	}

	@Order(0)
	record Saver(Function<String, Mono<Object>> save) implements BeforeConvertCallback<Crate> {

		@Override
		public Crate onBeforeConvert(Crate crate, String collection) {
			assertThat(this.save.apply(collection).block()).isNotNull();
			return crate;
		}

	}

	@Order(0)
	record ReactiveSaver(Function<String, Mono<Object>> save) implements ReactiveBeforeConvertCallback<Crate> {

		@Override
		public Publisher<Crate> onBeforeConvert(Crate crate, String collection) {
			return this.save.apply(collection).thenReturn(crate);
		}

	}

}
