package io.github.hilo.applications;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;

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

	/**
	 * Made by hand, given the callbacks of its context, and registered as it is.
	 */
	@ParameterizedTest
	@EnumSource
	void templateThatIsNotToldIsRefusedWhereTemplatesAreOfTwoDatabases(Driver driver) {
		twoTemplates(driver).withInitializer((initialized) -> {
			GenericApplicationContext context = (GenericApplicationContext) initialized;
			context.registerBean(InitializingBean.class, () -> () -> {
				driver.setCallbacks(context.getBean("another"), context);
				context.getBeanFactory().registerSingleton("registered", byHand(driver, context, this.other));
			});
		})
			.run((context) -> Stream
				.of(byHand(driver, context, this.other), context.getBean("another"), context.getBean("registered"))
				.forEach((template) -> {
					assertRefused(() -> driver.save(template, new Crate(null)));
					assertThat(driver.save(template, new Crate(5L))).as("has an id").isEqualTo(new Crate(5L));
				}));
	}

	/**
	 * That of a factory, of a template that is made later, of a prototype that nobody has
	 * asked for, and of a parent; also with a generator of the application's own.
	 */
	@Test
	void everyOtherDatabaseCounts() {
		ApplicationContextRunner usual = this.application.withBean("mongoTemplate", MongoTemplate.class,
				this.own::template);
		Stream
			.of(this.application.withBean("only", MongoTemplate.class, this.other::template),
					ApplicationDatabase.lazily(twoTemplates(Driver.SYNCHRONOUS)),
					usual.withBean("prototype", MongoTemplate.class, this.other::template,
							(definition) -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE)),
					twoTemplates(Driver.SYNCHRONOUS).withBean(HiLoIdGenerator.class, InMemoryHiLoIdGenerator::new))
			.forEach((application) -> application.run(this::assertTemplateByHandIsRefused));
		new ApplicationContextRunner().withBean("parents", MongoTemplate.class, this.other::template)
			.run((parent) -> usual.withParent(parent).run(this::assertTemplateByHandIsRefused));
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

	private void assertTemplateByHandIsRefused(ApplicationContext context) {
		Object template = byHand(Driver.SYNCHRONOUS, context, this.other);
		assertRefused(() -> Driver.SYNCHRONOUS.save(template, new Crate(null)));
	}

	private void assertRefused(ThrowingCallable save) {
		assertThatIllegalStateException().isThrownBy(save)
			.withMessageContainingAll("It cannot be told which template saves to", "'crates'", "several databases",
					"Make the template a bean, and leave out", "EntityCallbacks.create(context)", "withGenerator");
		assertThat(Stream.of(this.own, this.other).flatMap((database) -> database.counters().stream())).isEmpty();
	}

	private static Object byHand(Driver driver, ApplicationContext context, ApplicationDatabase database) {
		ApplicationContextAware template = driver.template(database);
		template.setApplicationContext(context);
		return template;
	}

}
