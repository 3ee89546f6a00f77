package io.github.hilo.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import com.mongodb.reactivestreams.client.MongoClients;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.DecoratedGenerator.Replacing;
import io.github.hilo.fixture.DecoratedGenerator;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.internal.actuate.HiLoEndpoint;
import io.github.hilo.internal.actuate.HiLoHealthIndicator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;

/**
 * Applications whose {@link BeanPostProcessor} decorates the generator, or makes a spy of
 * it.
 */
class DecoratedGeneratorTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final List<String> calls = new ArrayList<>();

	private final ApplicationContextRunner contextRunner = this.database.contextRunner()
		.withConfiguration(AutoConfigurations.of(HiLoEndpointAutoConfiguration.class, HiLoHealthAutoConfiguration.class,
				HiLoMetricsAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withBean(BeanPostProcessor.class,
				() -> new Replacing(
						(generator) -> new DecoratedGenerator(generator, (ids) -> new NotedSequence(ids, this.calls))))
		.withPropertyValues("management.endpoints.web.exposure.include=hilo", "hilo.warm-up=order");

	@Test
	void mockThatIsNotStubbedLeavesTheIdToMongoDb() {
		this.database.contextRunner()
			.withBean(BeanPostProcessor.class, () -> new Replacing((generator) -> mock(HiLoIdGenerator.class)))
			.run((context) -> {
				assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).matches("[0-9a-f]{24}");
				assertThat(this.database.counters()).isEmpty();
			});
	}

	@Test
	void everythingElseGoesOn() {
		this.contextRunner.run((context) -> {
			context.getBean(HiLoIdGenerator.class).nextId("order");
			assertThat(context.getBean(HiLoEndpoint.class).sequence("order")).isNotNull();
			assertThat(context.getBean(HiLoHealthIndicator.class).health())
				.satisfies((health) -> assertThat(health.getStatus()).isEqualTo(Status.UP));
			assertThat(context.getBean(MeterRegistry.class).get("hilo.ids.issued").functionCounter().count())
				.isEqualTo(1);
			assertThat(context.getBean(HiLoIdGenerator.class).nextId("order")).isEqualTo(2);
		});
		assertThat(this.calls).containsExactly("nextId", "nextId");
		assertThat(this.database.max("order")).as("the rest was returned").isEqualTo(2);
	}

	@Test
	void decoratorSeesEveryIdWhateverSaveOrCallAskedForIt() {
		this.contextRunner.run((context) -> {
			HiLoIdGenerator ids = context.getBean(HiLoIdGenerator.class);
			assertThat(ids.nextIds("order", 2)).containsExactly(1, 2);
			assertThat(ids.nextDocumentIds(Order.class, 2)).containsExactly("order/3-A", "order/4-A");
			ids.nextIdFor(new Order(null));
			ids.ensureAtLeast("order", 50);
			ids.forDatabase("audit").nextDocumentIdFor(new Order(null));
			ids.sequence("order").nextIds(2);
			assertThat(context.getBean(MongoTemplate.class).insert(new Order(null)).id()).startsWith("order/");
		});
		assertThat(this.calls).containsExactly("nextId", "nextId", "nextDocumentId", "nextDocumentId", "nextId",
				"ensureAtLeast", "nextDocumentId", "nextId", "nextId", "nextDocumentId");
	}

	/**
	 * A spy is of the same class and has copies of the fields.
	 */
	@Test
	void stubsOfASpyAnswerTheSavesOfItsKindAndTheSpySeesAllOfThem() {
		ReactiveApplications.withBothDrivers(this.database.connectionProperties())
			.withBean(BeanPostProcessor.class, Spying::new)
			.run((context) -> {
				HiLoIdGenerator ids = context.getBean(HiLoIdGenerator.class);
				ReactiveHiLoIdGenerator reactiveIds = context.getBean(ReactiveHiLoIdGenerator.class);
				MongoTemplate template = context.getBean(MongoTemplate.class);
				ReactiveMongoTemplate reactive = context.getBean(ReactiveMongoTemplate.class);
				doReturn(7777L).when(ids).nextId("ticket");
				doReturn(Mono.just(8888L)).when(reactiveIds).nextId("ticket");
				assertThat(template.insert(new Ticket(null)).id()).isEqualTo(7777);
				assertThat(reactive.insert(new Ticket(null)).map(Ticket::id).block()).isEqualTo(8888);
				assertThat(template.insert(new Order(null)).id()).isEqualTo("order/1-A");
				assertThat(reactive.insert(new Order(null)).map(Order::id).block()).isEqualTo("order/2-A");
				verify(ids).nextId("ticket");
				verify(ids).nextDocumentId("order");
				verify(reactiveIds).nextId("ticket");
				verify(reactiveIds).nextDocumentId("order");
			});
	}

	@Test
	void spyIsAskedForTheDatabaseOfAnotherTemplate() {
		ApplicationDatabase audit = new ApplicationDatabase();
		ReactiveApplications.withBothDrivers(this.database.connectionProperties())
			.withBean(BeanPostProcessor.class, Spying::new)
			.withBean("mongoTemplate", MongoTemplate.class, this.database::template)
			.withBean("audit", MongoTemplate.class, audit::template)
			.withBean("reactiveMongoTemplate", ReactiveMongoTemplate.class, () -> reactiveTemplate(this.database))
			.withBean("reactiveAudit", ReactiveMongoTemplate.class, () -> reactiveTemplate(audit))
			.run((context) -> {
				HiLoIdGenerator stubbed = mock(HiLoIdGenerator.class);
				ReactiveHiLoIdGenerator reactiveStubbed = mock(ReactiveHiLoIdGenerator.class);
				given(stubbed.nextId("ticket")).willReturn(7777L);
				given(reactiveStubbed.nextId("ticket")).willReturn(Mono.just(8888L));
				MongoTemplate template = context.getBean("audit", MongoTemplate.class);
				ReactiveMongoTemplate reactive = context.getBean("reactiveAudit", ReactiveMongoTemplate.class);
				assertThat(template.insert(new Ticket(null)).id()).isEqualTo(1);
				assertThat(reactive.insert(new Ticket(null)).map(Ticket::id).block()).isEqualTo(2);
				doReturn(stubbed).when(context.getBean(HiLoIdGenerator.class)).forDatabase(anyString());
				doReturn(reactiveStubbed).when(context.getBean(ReactiveHiLoIdGenerator.class)).forDatabase(anyString());
				assertThat(template.insert(new Ticket(null)).id()).isEqualTo(7777);
				assertThat(reactive.insert(new Ticket(null)).map(Ticket::id).block()).isEqualTo(8888);
			});
		assertThat(audit.max("ticket")).isEqualTo(2);
	}

	private static ReactiveMongoTemplate reactiveTemplate(ApplicationDatabase database) {
		return new ReactiveMongoTemplate(MongoClients.create(MongoTestServer.uri()), database.name());
	}

	record Ticket(@Nullable Long id) {
	}

	@Document("order")
	record Order(@Nullable String id) {
	}

	/**
	 * Makes spies of both generators, as {@code @MockitoSpyBean} does.
	 */
	private static final class Spying implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof HiLoIdGenerator || bean instanceof ReactiveHiLoIdGenerator) ? spy(bean) : bean;
		}

	}

	/**
	 * Notes each id.
	 */
	private record NotedSequence(HiLoSequence sequence, List<String> calls) implements HiLoSequence {

		@Override
		public long nextId() {
			this.calls.add("nextId");
			return this.sequence.nextId();
		}

		@Override
		public String nextDocumentId() {
			this.calls.add("nextDocumentId");
			return this.sequence.nextDocumentId();
		}

		@Override
		public long ensureAtLeast(long floor) {
			this.calls.add("ensureAtLeast");
			return this.sequence.ensureAtLeast(floor);
		}

	}

}
