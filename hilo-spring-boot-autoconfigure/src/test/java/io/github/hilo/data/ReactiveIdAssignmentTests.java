package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.Order;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoTransactionManager;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
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

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	@Parameter
	private boolean bothDrivers;

	@Test
	void saveTakesNothingBeforeItIsSubscribedTo() {
		run((app, template) -> {
			Mono<Order> save = template.insert(new Order(null));
			assertThat(this.database.counters()).isEmpty();
			assertThat(id(save)).isEqualTo("orders/1-A");
			assertThat(id(save)).isEqualTo("orders/2-A");
		});
	}

	@Test
	void rangeReservedInATransactionSurvivesItsRollback() {
		Assumptions.assumeTrue(MongoTestServer.isReplicaSet(),
				"Only a replica set has transactions; this run is on " + MongoTestServer.kind());
		run((app, template) -> {
			template.createCollection("orders").block(PATIENCE);
			TransactionalOperator transaction = TransactionalOperator
				.create(new ReactiveMongoTransactionManager(app.bean(ReactiveMongoDatabaseFactory.class)));
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
		TestApplications.run(runner().withUserConfiguration(LostDatabase.class), (app) -> {
			Mono<?> call = app.reactiveGenerator().nextId("orders");
			Mono<?> save = app.reactiveTemplate().insert(new Order(null));
			assertThat(List.of(call, save)).allSatisfy((waiting) -> assertThatExceptionOfType(
					HiLoUnavailableException.class)
				.isThrownBy(() -> waiting.block(PATIENCE))
				.withMessage(
						"No range for sequence 'orders': its database was not resolved within hilo.timeout (100ms)"));
		}, "hilo.timeout=100ms");
	}

	private void run(BiConsumer<TestApplication, ReactiveMongoTemplate> test) {
		TestApplications.run(runner(), (app) -> test.accept(app, app.reactiveTemplate()));
	}

	private ApplicationContextRunner runner() {
		return this.applications.reactive(this.bothDrivers);
	}

	private static @Nullable String id(Mono<Order> save) {
		return block(save).id();
	}

	private static <T> T block(Mono<T> mono) {
		return Objects.requireNonNull(mono.block(PATIENCE));
	}

	@Configuration(proxyBeanMethods = false)
	static class LostDatabase {

		@Bean
		ReactiveMongoDatabaseFactory reactiveMongoDatabaseFactory(MongoClient client) {
			return new SimpleReactiveMongoDatabaseFactory(client, "unused") {

				@Override
				public Mono<MongoDatabase> getMongoDatabase() {
					return Mono.never();
				}

			};
		}

	}

}
