package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.data.HiLoResync.Report;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ReactiveHiLoResync} in an application with the reactive driver only
 * and in one with both.
 */
@ParameterizedClass
@ValueSource(booleans = { true, false })
class ReactiveHiLoResyncTests {

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
	void counterIsRaisedToTheHighestStoredIdOnSubscription() {
		store(this.database, "orders", 12, "orders/41-A", "orders/abc");
		run((context, resync) -> {
			Mono<Long> raise = resync.resync("orders", "orders");
			assertThat(this.database.counters()).isEmpty();
			assertThat(raise.block(PATIENCE)).isEqualTo(41);
			assertThat(max(this.database, "orders")).isEqualTo(41L);
			assertThat(context.getBean(ReactiveHiLoIdGenerator.class).nextId("orders").block(PATIENCE)).isEqualTo(42);
			store(this.database, "orders", 500);
			assertThat(raise.block(PATIENCE)).as("each subscription reads again").isEqualTo(500);
		});
	}

	@Test
	void counterIsLeftAloneWhereThereIsNoSuchId() {
		store(this.database, "orders", "orders/abc", -7);
		run((context, resync) -> {
			assertThat(resync.resync("orders", "orders").block(PATIENCE)).isZero();
			assertThat(this.database.counters()).isEmpty();
		});
	}

	@Test
	void counterIsNeverLowered() {
		store(this.database, "orders", 41);
		run((context, resync) -> {
			context.getBean(HiLoIdGenerator.class).ensureAtLeast("orders", 100);
			assertThat(resync.resync("orders", "orders").block(PATIENCE)).isEqualTo(100);
		});
	}

	@Test
	void typeHasACollectionAndASequence() {
		store(this.database, "purchases", "orders/9-A", "purchases/99-A");
		run((context, resync) -> assertThat(resync.resync(Purchase.class).block(PATIENCE)).isEqualTo(9));
	}

	@Test
	void everySequenceOfACollectionIsRaised() {
		store(this.database, "purchases", "orders/9-A", "refunds/4-A", "purchases/99-A");
		run((context, resync) -> {
			MongoMappingContext mappings = context.getBean(MongoMappingContext.class);
			mappings.getRequiredPersistentEntity(Purchase.class);
			mappings.getRequiredPersistentEntity(Refund.class);
			assertThat(resync.resyncCollection("purchases").block(PATIENCE))
				.isEqualTo(Map.of("orders", 9L, "refunds", 4L));
			assertThat(resync.reportCollection("purchases").block(PATIENCE))
				.isEqualTo(Map.of("orders", new Report(9, 9L), "refunds", new Report(4, 4L)));
		});
	}

	@Test
	void reportTellsWhatAResyncWouldDoAndChangesNothing() {
		store(this.database, "orders", "orders/41-A");
		run((context, resync) -> {
			assertThat(resync.report("orders", "orders").block(PATIENCE)).isEqualTo(new Report(41, null));
			assertThat(resync.reportCollection("orders").block(PATIENCE))
				.isEqualTo(Map.of("orders", new Report(41, null)));
			assertThat(this.database.counters()).isEmpty();
		});
	}

	@Test
	void otherDatabaseHasItsOwnDocumentsAndCounters() {
		store(this.database, "orders", 5);
		store(this.other, "orders", 70);
		run((context, resync) -> {
			ReactiveHiLoResync there = resync.forDatabase(this.other.name());
			assertThat(there.resync("orders", "orders").block(PATIENCE)).isEqualTo(70);
			assertThat(max(this.other, "orders")).isEqualTo(70L);
			assertThat(this.database.counters()).isEmpty();
			assertThat(there.forDatabase(null).resync("orders", "orders").block(PATIENCE)).isEqualTo(5);
			assertThatIllegalArgumentException().isThrownBy(() -> resync.forDatabase(" "));
		});
	}

	@Test
	void databaseIsThatOfTheSubscribersContext() {
		store(this.database, "orders", 5);
		store(this.other, "orders", 70);
		runner().withUserConfiguration(TenantConfiguration.class).run((context) -> {
			ReactiveHiLoResync resync = context.getBean(ReactiveHiLoResync.class);
			assertForEachTenant(resync.report("orders", "orders"), new Report(5, null), new Report(70, null));
			assertForEachTenant(resync.reportCollection("orders"), Map.of("orders", new Report(5, null)),
					Map.of("orders", new Report(70, null)));
			assertForEachTenant(resync.resync("orders", "orders"), 5L, 70L);
			store(this.database, "orders", 6);
			store(this.other, "orders", 71);
			assertForEachTenant(resync.resync(Order.class), 6L, 71L);
			store(this.database, "orders", 7);
			store(this.other, "orders", 72);
			assertForEachTenant(resync.resyncCollection("orders"), Map.of("orders", 7L), Map.of("orders", 72L));
			assertThat(max(this.database, "orders")).isEqualTo(7L);
			assertThat(max(this.other, "orders")).isEqualTo(72L);
		});
	}

	@Test
	@SuppressWarnings("NullAway") // Nulls where none are allowed.
	void wrongArgumentIsAnErrorSignal() {
		run((context, resync) -> {
			List<Mono<?>> calls = List.of(resync.resync(null), resync.resync(String.class),
					resync.resync(null, "orders"), resync.resync(" ", "orders"), resync.resync("orders", null),
					resync.resync("orders", " "), resync.resyncCollection(null), resync.report(null, "orders"),
					resync.report("orders", " "), resync.reportCollection(" "));
			assertThat(calls).allSatisfy((call) -> StepVerifier.create(call)
				.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(IllegalArgumentException.class))
				.verify(PATIENCE));
			assertThat(this.database.counters()).isEmpty();
		});
	}

	@Test
	void idBeyondAllFloorsIsAnErrorSignalAndRaisesNothing() {
		store(this.database, "orders", 5, Long.MAX_VALUE);
		run((context, resync) -> {
			assertFails(resync.resync("orders", "orders"), HiLoDocumentException.class, "Nothing was raised");
			assertThat(this.database.counters()).isEmpty();
		});
	}

	@Test
	void malformedCounterIsAnErrorSignal() {
		store(this.database, "orders", 5);
		this.database.setCounter("orders", "many");
		run((context, resync) -> {
			assertFails(resync.report("orders", "orders"), HiLoDocumentException.class, "malformed");
			assertFails(resync.resync("orders", "orders"), HiLoDocumentException.class, "malformed");
		});
	}

	@Test
	void everythingIsEmittedOnAThreadForSubscribers() {
		store(this.database, "orders", 5);
		run((context, resync) -> assertThat(Stream.<Mono<?>>of(resync.resync("orders", "orders"),
				resync.report("orders", "orders"), resync.resyncCollection("orders"), resync.reportCollection("orders"),
				resync.resync("nothing", "nothing"), resync.resync(" ", "orders").onErrorResume((ex) -> Mono.just(1L))))
			.allSatisfy((call) -> assertThat(call.map((answer) -> Thread.currentThread()).block(PATIENCE))
				.isInstanceOf(NonBlocking.class)));
	}

	@Test
	void serverThatDoesNotAnswerIsAnErrorSignal() {
		runner().withPropertyValues("spring.mongodb.uri=mongodb://localhost:1/?serverSelectionTimeoutMS=100")
			.run((context) -> assertFails(context.getBean(ReactiveHiLoResync.class).resync("orders", "orders"),
					HiLoUnavailableException.class, "could not be read"));
	}

	@Test
	void closedGeneratorRaisesNothing() {
		store(this.database, "orders", 5);
		run((context, resync) -> {
			context.getBean(HiLoEngine.class).close();
			assertFails(resync.resync("orders", "orders"), IllegalStateException.class, "closed");
			assertThat(this.database.counters()).isEmpty();
		});
	}

	private void assertForEachTenant(Mono<?> call, Object one, Object other) {
		Function<ApplicationDatabase, @Nullable Object> answer = (
				tenant) -> call.contextWrite(Context.of("tenant", tenant.name())).block(PATIENCE);
		assertThat(answer.apply(this.database)).isEqualTo(one);
		assertThat(answer.apply(this.other)).isEqualTo(other);
	}

	private static void assertFails(Mono<?> call, Class<? extends Throwable> type, String message) {
		StepVerifier.create(call)
			.expectErrorSatisfies((error) -> assertThat(error).isInstanceOf(type).hasMessageContaining(message))
			.verify(PATIENCE);
	}

	private static void store(ApplicationDatabase database, String collection, Object... ids) {
		Stream.of(ids).forEach((id) -> database.collection(collection).insertOne(new org.bson.Document("_id", id)));
	}

	private static @Nullable Object max(ApplicationDatabase database, String sequence) {
		org.bson.Document counter = database.collection("@hilo")
			.find(new org.bson.Document("_id", "Raven/HiLo/" + sequence))
			.first();
		return (counter != null) ? counter.get("Max") : null;
	}

	private void run(BiConsumer<AssertableApplicationContext, ReactiveHiLoResync> test) {
		runner().run((context) -> test.accept(context, context.getBean(ReactiveHiLoResync.class)));
	}

	private ApplicationContextRunner runner() {
		return this.bothDrivers ? ReactiveApplications.withBothDrivers(this.database.connectionProperties())
				: ReactiveApplications.withReactiveDriver(this.database.connectionProperties());
	}

	@Document("orders")
	record Order(@Nullable String id) {
	}

	@HiLo(sequence = "orders")
	@Document("purchases")
	record Purchase(@Nullable String id) {
	}

	@HiLo(sequence = "refunds")
	@Document("purchases")
	record Refund(@Nullable String id) {
	}

	@Configuration(proxyBeanMethods = false)
	static class TenantConfiguration {

		@Bean
		ReactiveMongoDatabaseFactory reactiveMongoDatabaseFactory(MongoClient client) {
			return new SimpleReactiveMongoDatabaseFactory(client, "unused") {

				@Override
				public Mono<MongoDatabase> getMongoDatabase() {
					return Mono.deferContextual((context) -> getMongoDatabase(context.get("tenant")));
				}

			};
		}

	}

}
