package io.github.hilo.applications;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.HiLoBeforeConvertCallback;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications of several contexts, processes and template classes.
 */
@Execution(ExecutionMode.SAME_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class ContextsTests {

	private final ApplicationDatabase parents = new ApplicationDatabase();

	private final ApplicationDatabase children = new ApplicationDatabase();

	private final ApplicationContextRunner application = this.children.contextRunner();

	@ParameterizedTest
	@CsvSource({ "SYNCHRONOUS, SYNCHRONOUS", "REACTIVE, REACTIVE", "SYNCHRONOUS, REACTIVE" })
	void templateOfAChildGetsIdsUnderAParentThatGivesThem(Driver parents, Driver driver) {
		parents.application(this.parents).run((parent) -> {
			driver.withTemplate(driver.application(this.children).withParent(parent), "own", this.children)
				.run((context) -> {
					for (int i = 0; i < 2; i++) {
						driver.save(context.getBean("own"), new Crate(null));
						parents.save(parent.getBean(parents.usualName), new Crate(null));
					}
					assertThat(context.getBean(HiLoEngine.class).snapshot()).containsOnlyKeys(this.children.name());
					assertThat(context.getBean(HiLoIdGenerator.class).nextId("crates")).isEqualTo(3);
				});
			assertThat(parent.getBean(HiLoIdGenerator.class).nextId("crates")).isEqualTo(3);
			parent.getBean(HiLoIdGenerator.class).ensureAtLeast("crates", 100);
		});
		assertThat(this.children.ids("crates")).containsExactly(1L, 2L);
		assertThat(this.parents.ids("crates")).containsExactly(1L, 2L);
	}

	@Test
	void childHasItsOwnNamingAndTagUnlessAStrategyOfTheApplicationNames() {
		ApplicationContextRunner parents = this.parents.contextRunner();
		ApplicationContextRunner child = this.application.withPropertyValues("hilo.naming=raven", "hilo.node-tag=B");
		parents.run((parent) -> {
			assertThat(childId(parent, child)).isEqualTo("labels/1-B");
			assertThat(childId(parent,
					child.withBean("strategy", HiLoNamingStrategy.class, () -> (type, collection) -> "own")))
				.isEqualTo("own/1-B");
		});
		parents.withBean("strategy", HiLoNamingStrategy.class, () -> (type, collection) -> "parents")
			.run((parent) -> assertThat(childId(parent, child)).isEqualTo("parents/1-B"));
	}

	private @Nullable String childId(ApplicationContext parent, ApplicationContextRunner child) {
		AtomicReference<@Nullable String> id = new AtomicReference<>();
		child.withParent(parent)
			.withBean("own", MongoTemplate.class, this.children::template)
			.run((context) -> id.set(context.getBean("own", MongoTemplate.class).save(new Label(null)).id()));
		return id.get();
	}

	@Test
	void childWithoutATemplateUsesWhatItsParentHas(CapturedOutput output) {
		this.parents.contextRunner().run((parent) -> this.application.withParent(parent).run((context) -> {
			assertThat(context.getBean(HiLoEngine.class)).isSameAs(parent.getBean(HiLoEngine.class));
			context.getBean(MongoOperations.class).save(new Crate(null));
			context.getBean(MongoOperations.class).save(new Crate(null));
		}));
		assertThat(this.parents.ids("crates")).containsExactly(1L, 2L);
		assertThat(output).doesNotContain("No document gets an id from hilo");
	}

	/**
	 * The parent's callback knows nothing of the child's counters.
	 */
	@Test
	void chosenIdIsExcludedInAChildThatReplacesTheCallback() {
		this.parents.contextRunner()
			.run((parent) -> this.application.withParent(parent)
				.withBean("own", MongoTemplate.class, this.children::template)
				.withBean("mine", HiLoBeforeConvertCallback.class, WithoutIds::new)
				.run((context) -> {
					HiLoIdGenerator generator = context.getBean(HiLoEngine.class).generator();
					assertThat(generator.nextId(Crate.class)).isEqualTo(1);
					context.getBean("own", MongoTemplate.class).save(new Crate(2L));
					assertThat(generator.nextId(Crate.class)).isEqualTo(3);
				}));
	}

	@Test
	void generatorOfTheApplicationInAParentIsThatOfTheChild() {
		this.parents.contextRunner()
			.withBean(HiLoIdGenerator.class, InMemoryHiLoIdGenerator::new)
			.run((parent) -> this.application.withParent(parent)
				.withBean("own", MongoTemplate.class, this.children::template)
				.run((context) -> {
					context.getBean("own", MongoTemplate.class).save(new Crate(null));
					context.getBean("own", MongoTemplate.class).save(new Crate(null));
				}));
		assertThat(this.children.ids("crates")).containsExactly(1L, 2L);
		assertThat(this.children.counters()).isEmpty();
	}

	/**
	 * Two processes of the same code, each of which saves a type of its own to the
	 * collection that their base class names.
	 */
	@Test
	void typesOfOneHierarchyHaveOneCounterInEveryProcess() {
		ApplicationContextRunner raven = this.children.contextRunner().withPropertyValues("hilo.naming=raven");
		List<Consumer<MongoTemplate>> saves = List.of((template) -> template.save(new Car()),
				(template) -> template.save(new Truck()));
		raven.run((one) -> raven.run((other) -> IntStream.range(0, 40)
			.forEach((i) -> saves.get(i % 2).accept((((i % 2) == 0) ? one : other).getBean(MongoTemplate.class)))));
		assertThat(this.children.ids("vehicles")).hasSize(40);
		assertThat(this.children.counters()).containsExactly("Raven/HiLo/vehicles");
	}

	@Test
	void collectionsOfOneNameInTwoDatabasesMayHaveTwoCounters() {
		this.application.withBean("mongoTemplate", MongoTemplate.class, this.children::template)
			.withBean("others", MongoTemplate.class, this.parents::template)
			.run((context) -> {
				BiConsumer<String, Object> save = (template, document) -> context.getBean(template, MongoTemplate.class)
					.save(document, "archive");
				for (int i = 0; i < 2; i++) {
					save.accept("mongoTemplate", new Incoming(null));
					save.accept("others", new Outgoing(null));
				}
			});
		assertThat(this.children.ids("archive")).containsExactly(1L, 2L);
		assertThat(this.parents.ids("archive")).containsExactly(1L, 2L);
		assertThat(this.parents.counters()).containsExactly("Raven/HiLo/out");
	}

	@Document("stickers")
	record Label(@Id @Nullable String id) {
	}

	@Document("vehicles")
	abstract static class Vehicle {

		@Id
		@Nullable Long id;

	}

	static class Car extends Vehicle {

	}

	static class Truck extends Vehicle {

	}

	@HiLo("in")
	record Incoming(@Id @Nullable Long id) {
	}

	@HiLo("out")
	record Outgoing(@Id @Nullable Long id) {
	}

	record WithoutIds() implements HiLoBeforeConvertCallback {

		@Override
		public Object onBeforeConvert(Object entity, String collection) {
			return entity;
		}

		@Override
		public HiLoBeforeConvertCallback withGenerator(HiLoIdGenerator generator) {
			return this;
		}

	}

}
