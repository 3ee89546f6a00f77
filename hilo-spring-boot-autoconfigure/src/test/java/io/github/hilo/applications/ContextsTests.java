package io.github.hilo.applications;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.test.InMemoryHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.annotation.Id;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.data.mongodb.core.MongoOperations;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
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

	@Test
	void templateOfAChildGetsIdsUnderAParentThatGivesThem() {
		this.parents.contextRunner()
			.run((parent) -> this.application.withParent(parent)
				.withBean("own", MongoTemplate.class,
						() -> new MongoTemplate(MongoTestServer.client(), this.children.name()))
				.run((context) -> {
					MongoTemplate own = context.getBean("own", MongoTemplate.class);
					for (int i = 0; i < 2; i++) {
						own.save(new Crate());
						parent.getBean(MongoTemplate.class).save(new Crate());
					}
					assertThat(context.getBean(HiLoEngine.class).snapshot()).containsOnlyKeys(this.children.name());
					assertThat(context.getBean(HiLoIdGenerator.class).nextId("crates")).isEqualTo(3);
					assertThat(parent.getBean(HiLoIdGenerator.class).nextId("crates")).isEqualTo(3);
				}));
		assertThat(this.children.ids("crates")).containsExactly(1L, 2L);
		assertThat(this.parents.ids("crates")).containsExactly(1L, 2L);
	}

	@Test
	void reactiveTemplateOfAChildGetsIdsUnderAParentThatGivesThem() {
		ReactiveApplications.withReactiveDriver(this.parents.connectionProperties())
			.run((parent) -> ReactiveApplications.withReactiveDriver(this.children.connectionProperties())
				.withParent(parent)
				.withBean("own", ReactiveMongoTemplate.class,
						() -> new ReactiveMongoTemplate(new SimpleReactiveMongoDatabaseFactory(
								parent.getBean(com.mongodb.reactivestreams.client.MongoClient.class),
								this.children.name())))
				.run((context) -> {
					for (int i = 0; i < 2; i++) {
						context.getBean("own", ReactiveMongoTemplate.class).save(new Crate()).block();
						parent.getBean(ReactiveMongoTemplate.class).save(new Crate()).block();
					}
					assertThat(context.getBean(HiLoEngine.class).snapshot()).containsOnlyKeys(this.children.name());
				}));
		assertThat(this.children.ids("crates")).containsExactly(1L, 2L);
		assertThat(this.parents.ids("crates")).containsExactly(1L, 2L);
	}

	@Test
	void childWithoutATemplateUsesWhatItsParentHas(CapturedOutput output) {
		this.parents.contextRunner().run((parent) -> this.application.withParent(parent).run((context) -> {
			assertThat(context.getBean(HiLoEngine.class)).isSameAs(parent.getBean(HiLoEngine.class));
			context.getBean(MongoOperations.class).save(new Crate());
			context.getBean(MongoOperations.class).save(new Crate());
		}));
		assertThat(this.parents.ids("crates")).containsExactly(1L, 2L);
		assertThat(output).doesNotContain("No document gets an id from hilo");
	}

	@Test
	void generatorOfTheApplicationInAParentIsThatOfTheChild() {
		this.parents.contextRunner()
			.withBean(HiLoIdGenerator.class, InMemoryHiLoIdGenerator::new)
			.run((parent) -> this.application.withParent(parent)
				.withBean("own", MongoTemplate.class,
						() -> new MongoTemplate(MongoTestServer.client(), this.children.name()))
				.run((context) -> {
					context.getBean("own", MongoTemplate.class).save(new Crate());
					context.getBean("own", MongoTemplate.class).save(new Crate());
				}));
		assertThat(this.children.ids("crates")).containsExactly(1L, 2L);
		assertThat(this.children.counters()).isEmpty();
	}

	@Test
	void templateClassThatHasAFieldOfItsOwnForCallbacksCounts() {
		this.application.withBean("mongoTemplate", MongoTemplate.class, () -> new WithField(this.children.name()))
			.withBean("parents", MongoTemplate.class,
					() -> new MongoTemplate(MongoTestServer.client(), this.parents.name()))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				context.getBean("mongoTemplate", MongoTemplate.class).save(new Crate());
				context.getBean("mongoTemplate", MongoTemplate.class).save(new Crate());
			});
		assertThat(this.children.ids("crates")).containsExactly(1L, 2L);
	}

	/**
	 * Two processes of the same code, each of which saves a type of its own to the
	 * collection that their base class names.
	 */
	@Test
	void typesOfOneHierarchyHaveOneCounterInEveryProcess() {
		ApplicationContextRunner raven = this.children.contextRunner().withPropertyValues("hilo.naming=raven");
		List<Consumer<MongoTemplate>> saves = List.of((template) -> template.save(new Car("car")),
				(template) -> template.save(new Truck("truck")));
		raven.run((one) -> raven.run((other) -> IntStream.range(0, 40)
			.forEach((i) -> saves.get(i % 2).accept((((i % 2) == 0) ? one : other).getBean(MongoTemplate.class)))));
		assertThat(this.children.ids("vehicles")).hasSize(40);
		assertThat(this.children.counters()).containsExactly("Raven/HiLo/vehicles");
	}

	@Test
	void collectionsOfOneNameInTwoDatabasesMayHaveTwoCounters() {
		this.application
			.withBean("mongoTemplate", MongoTemplate.class,
					() -> new MongoTemplate(MongoTestServer.client(), this.children.name()))
			.withBean("others", MongoTemplate.class,
					() -> new MongoTemplate(MongoTestServer.client(), this.parents.name()))
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

	@Document("crates")
	static class Crate {

		@Id
		long id;

	}

	@Document("vehicles")
	abstract static class Vehicle {

		@Id
		@Nullable Long id;

		final String name;

		Vehicle(String name) {
			this.name = name;
		}

	}

	static class Car extends Vehicle {

		Car(String name) {
			super(name);
		}

	}

	static class Truck extends Vehicle {

		Truck(String name) {
			super(name);
		}

	}

	@HiLo("in")
	record Incoming(@Id @Nullable Long id) {
	}

	@HiLo("out")
	record Outgoing(@Id @Nullable Long id) {
	}

	/**
	 * Keeps what Spring Data keeps under the same name.
	 */
	static class WithField extends MongoTemplate {

		String entityCallbacks = "none";

		WithField(String database) {
			super(MongoTestServer.client(), database);
		}

		@Override
		public void setEntityCallbacks(EntityCallbacks callbacks) {
			super.setEntityCallbacks(callbacks);
			this.entityCallbacks = "set";
		}

	}

}
