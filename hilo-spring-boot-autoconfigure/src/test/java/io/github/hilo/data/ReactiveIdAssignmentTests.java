package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mapping.callback.ReactiveEntityCallbacks;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoTransactionManager;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.transaction.reactive.TransactionalOperator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How reactive saves get their ids, in an application with the reactive driver only and
 * in one with both.
 */
@ParameterizedClass
@ValueSource(booleans = { true, false })
class ReactiveIdAssignmentTests {

	private static final String LOST = "lost";

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationDatabase other = new ApplicationDatabase();

	@Parameter
	private boolean bothDrivers;

	@AfterEach
	void dropDatabases() {
		Stream.of(this.database, this.other)
			.forEach((database) -> MongoTestServer.client().getDatabase(database.name()).drop());
	}

	@Test
	void numberBeyondAnIntIdIsAnErrorSignal() {
		this.database.setCounter("primitive", (long) Integer.MAX_VALUE);
		run((context, template) -> StepVerifier.create(template.insert(new Primitive()))
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(HiLoExhaustedException.class)
				.hasMessageContaining("'primitive'"))
			.verify(PATIENCE));
	}

	@Test
	void saveTakesNothingBeforeItIsSubscribedTo() {
		run((context, template) -> {
			Mono<Order> save = template.insert(new Order(null));
			assertThat(this.database.counters()).isEmpty();
			assertThat(id(save)).isEqualTo("orders/1-A");
			assertThat(id(save)).isEqualTo("orders/2-A");
		});
	}

	@Test
	void manySavesAtOnceShareRangesAndRepeatNoId() {
		run((context, template) -> {
			List<String> ids = block(Flux.fromStream(IntStream.range(0, 1000).mapToObj((i) -> new Order(null)))
				.flatMap(template::insert, 32)
				.mapNotNull(Order::id)
				.collectList());
			assertThat(ids).hasSize(1000).doesNotHaveDuplicates();
			assertThat(this.database.ids("orders")).hasSize(1000);
			assertThat(reservations(context)).isLessThan(10);
		});
	}

	@Test
	void secondTemplateTakesIdsOfItsOwnDatabase() {
		run((context, template) -> {
			ReactiveMongoTemplate audit = new ReactiveMongoTemplate(context.getBean(MongoClient.class),
					this.other.name());
			ReactiveHiLoIdGenerator generator = context.getBean(ReactiveHiLoIdGenerator.class);
			audit.setEntityCallbacks(
					ReactiveEntityCallbacks.create(context.getBean(ReactiveHiLoBeforeConvertCallback.class)
						.withGenerator(generator.forDatabase(this.other.name()))));
			assertThat(id(template.insert(new Order(null)))).isEqualTo("orders/1-A");
			assertThat(id(audit.insert(new Order(null)))).isEqualTo("orders/1-A");
			assertThat(this.database.counters()).containsExactly("Raven/HiLo/orders");
			assertThat(this.other.counters()).containsExactly("Raven/HiLo/orders");
		});
	}

	@Test
	void tenantOfTheContextHasCountersOfItsOwn() {
		runner().withUserConfiguration(TenantConfiguration.class).run((context) -> {
			ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
			Mono<Order> save = template.insert(new Order(null));
			assertThat(id(save.contextWrite(tenant(this.database)))).isEqualTo("orders/1-A");
			assertThat(id(save.contextWrite(tenant(this.database)))).isEqualTo("orders/2-A");
			assertThat(id(save.contextWrite(tenant(this.other)))).isEqualTo("orders/1-A");
			assertThat(this.database.ids("orders")).containsExactly("orders/1-A", "orders/2-A");
			assertThat(this.other.ids("orders")).containsExactly("orders/1-A");
			assertThat(this.other.counters()).containsExactly("Raven/HiLo/orders");
		});
	}

	@Test
	void rangeReservedInATransactionSurvivesItsRollback() {
		Assumptions.assumeTrue(MongoTestServer.isReplicaSet(),
				"Only a replica set has transactions; this run is on " + MongoTestServer.kind());
		run((context, template) -> {
			template.createCollection("orders").block(PATIENCE);
			TransactionalOperator transaction = TransactionalOperator
				.create(new ReactiveMongoTransactionManager(context.getBean(ReactiveMongoDatabaseFactory.class)));
			Mono<Order> rolledBack = transaction.execute((status) -> {
				status.setRollbackOnly();
				return template.insert(new Order(null));
			}).next();
			assertThat(id(rolledBack)).isEqualTo("orders/1-A");
			assertThat(this.database.ids("orders")).isEmpty();
			assertThat(id(template.insert(new Order(null)))).isEqualTo("orders/2-A");
		});
	}

	@Test
	void databaseThatIsNeverResolvedIsNotWaitedForForEver() {
		runner().withPropertyValues("hilo.timeout=100ms")
			.withUserConfiguration(TenantConfiguration.class)
			.run((context) -> {
				Mono<?> call = context.getBean(ReactiveHiLoIdGenerator.class).nextId("orders");
				Mono<?> save = context.getBean(ReactiveMongoTemplate.class).insert(new Order(null));
				assertThat(List.of(call, save)).allSatisfy((waiting) -> assertThatExceptionOfType(
						HiLoUnavailableException.class)
					.isThrownBy(() -> waiting.contextWrite(Context.of("tenant", LOST)).block(PATIENCE))
					.withMessage(
							"No range for sequence 'orders': its database was not resolved within hilo.timeout (100ms)"));
			});
	}

	private void run(BiConsumer<AssertableApplicationContext, ReactiveMongoTemplate> test) {
		runner().run((context) -> test.accept(context, context.getBean(ReactiveMongoTemplate.class)));
	}

	private ApplicationContextRunner runner() {
		String[] connection = this.database.connectionProperties();
		return this.bothDrivers ? ReactiveApplications.withBothDrivers(connection)
				: ReactiveApplications.withReactiveDriver(connection);
	}

	private static long reservations(AssertableApplicationContext context) {
		return context.getBean(HiLoEngine.class)
			.snapshot()
			.values()
			.stream()
			.flatMap((sequences) -> sequences.values().stream())
			.mapToLong(SequenceSnapshot::reservations)
			.sum();
	}

	private static Context tenant(ApplicationDatabase database) {
		return Context.of("tenant", database.name());
	}

	private static @Nullable String id(Mono<Order> save) {
		return block(save).id();
	}

	private static <T> T block(Mono<T> mono) {
		return Objects.requireNonNull(mono.block(PATIENCE));
	}

	@Document("orders")
	record Order(@Nullable String id) {
	}

	static class Primitive {

		int id;

	}

	@Configuration(proxyBeanMethods = false)
	static class TenantConfiguration {

		@Bean
		ReactiveMongoDatabaseFactory reactiveMongoDatabaseFactory(MongoClient client) {
			return new SimpleReactiveMongoDatabaseFactory(client, "unused") {

				@Override
				public Mono<MongoDatabase> getMongoDatabase() {
					return Mono.deferContextual((context) -> LOST.equals(context.get("tenant")) ? Mono.never()
							: getMongoDatabase(context.get("tenant")));
				}

			};
		}

	}

}
