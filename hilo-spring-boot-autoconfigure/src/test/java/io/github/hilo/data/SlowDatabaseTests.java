package io.github.hilo.data;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.FakePrimary;
import io.github.hilo.fixture.ReactiveApplications;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.Thorough;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Calls whose factory takes long to resolve the database: its time is a part of the
 * limit, and the message says so.
 */
@Thorough
class SlowDatabaseTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	private static final Duration SLOW = Duration.ofMillis(1600);

	private static final AtomicInteger RESOLVED = new AtomicInteger();

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void blockingCallEndsWithinOneLimit(String what, Consumer<TestApplication> call) throws Exception {
		run(false, (app, primary) -> {
			Stream.of("reserve", "raise", "renew", "find")
				.forEach((kind) -> primary.delay(kind, Duration.ofMinutes(1)));
			endsInTime(() -> call.accept(app));
		});
	}

	static Stream<Arguments> blockingCallEndsWithinOneLimit() {
		return Stream.of(named("nextId", (app) -> app.generator().nextId("orders")),
				named("ensureAtLeast", (app) -> app.generator().ensureAtLeast("orders", 500)),
				named("save", (app) -> app.template().save(new Parcel(null, null, null, null))));
	}

	private static Arguments named(String name, Consumer<TestApplication> call) {
		return arguments(name, call);
	}

	@Test
	void saveResolvesItsDatabaseOnce() throws Exception {
		run(false, (app, primary) -> {
			RESOLVED.set(0);
			HiLoBeforeConvertCallback callback = app.bean(HiLoBeforeConvertCallback.class);
			assertThat(((Parcel) callback.onBeforeConvert(new Parcel(null, null, null, null), "parcels")).bag())
				.isEqualTo(101L);
			assertThat(RESOLVED).hasValue(1);
		});
	}

	@Test
	void reactiveSaveResolvesItsDatabaseOnce() throws Exception {
		run(true, (app, primary) -> {
			RESOLVED.set(0);
			ReactiveHiLoBeforeConvertCallback callback = app.bean(ReactiveHiLoBeforeConvertCallback.class);
			Object saved = Mono.from(callback.onBeforeConvert(new Parcel(null, null, null, null), "parcels"))
				.block(TIMEOUT.multipliedBy(2));
			assertThat(saved).isEqualTo(new Parcel("parcels/101-A", 101L, 101L, 101L));
			assertThat(RESOLVED).hasValue(1);
		});
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void callOfAReactiveApplicationEndsWithinOneLimit(String what, Consumer<TestApplication> call) throws Exception {
		run(true, (app, primary) -> {
			primary.delay("reserve", Duration.ofMinutes(1));
			endsInTime(() -> call.accept(app));
		});
	}

	static Stream<Arguments> callOfAReactiveApplicationEndsWithinOneLimit() {
		return Stream.of(named("reactive", (app) -> app.reactiveGenerator().nextId("orders").block()),
				named("blocking", (app) -> app.generator().nextId("orders")));
	}

	@Test
	void reactiveCallStartsAndEndsWhileTheApplicationBlocksTheTimerOfTheJdk() throws Exception {
		CountDownLatch done = new CountDownLatch(1);
		CompletableFuture<?> blocked = new CompletableFuture<>().orTimeout(1, TimeUnit.MILLISECONDS)
			.exceptionally((late) -> {
				try {
					return done.await(1, TimeUnit.MINUTES);
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
		try {
			run(true, (app, primary) -> {
				ReactiveHiLoIdGenerator generator = app.reactiveGenerator();
				assertThat(generator.nextId("boxes").block(TIMEOUT.multipliedBy(2))).isEqualTo(101);
				primary.delay("reserve", Duration.ofMinutes(1));
				endsInTime(() -> generator.nextId("orders").block());
			});
		}
		finally {
			done.countDown();
			assertThat(blocked).succeedsWithin(TIMEOUT);
		}
	}

	private static void endsInTime(ThrowingCallable call) {
		long begunNanos = System.nanoTime();
		assertThatExceptionOfType(HiLoUnavailableException.class).isThrownBy(call)
			.withMessageContaining("within hilo.timeout (3s)");
		assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(TIMEOUT.plus(SLOW.dividedBy(2)));
	}

	/**
	 * Not a parked thread, which what it did before may wake.
	 */
	private static void takeLong() {
		try {
			assertThat(new CountDownLatch(1).await(SLOW.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void run(boolean reactive, BiConsumer<TestApplication, FakePrimary> test) throws Exception {
		try (FakePrimary primary = new FakePrimary()) {
			Stream.of("orders", "parcels", "boxes", "bags", "bins")
				.forEach((name) -> primary.setMax(name, new BsonInt64(100)));
			TestApplications.run(
					reactive ? ReactiveApplications.withReactiveDriver(primary.connectionProperties())
						.withUserConfiguration(Reactive.class)
							: primary.contextRunner().withUserConfiguration(Blocking.class),
					(app) -> test.accept(app, primary), "hilo.timeout=" + TIMEOUT.toMillis() + "ms");
		}
	}

	@Document("parcels")
	record Parcel(@Nullable String id, @HiLo("boxes") @Nullable Long box, @HiLo("bags") @Nullable Long bag,
			@HiLo("bins") @Nullable Long bin) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Blocking {

		// Spring Boot makes none beside a factory of the application's own.
		@Bean
		MongoClient mongoClient(@Value("${spring.mongodb.uri}") String uri) {
			return MongoClients.create(uri);
		}

		@Bean
		MongoDatabaseFactory mongoDatabaseFactory(MongoClient client) {
			return new SimpleMongoClientDatabaseFactory(client, FakePrimary.DATABASE) {

				@Override
				public MongoDatabase getMongoDatabase() {
					RESOLVED.incrementAndGet();
					takeLong();
					return super.getMongoDatabase();
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Reactive {

		@Bean
		ReactiveMongoDatabaseFactory reactiveMongoDatabaseFactory(
				com.mongodb.reactivestreams.client.MongoClient client) {
			return new SimpleReactiveMongoDatabaseFactory(client, FakePrimary.DATABASE) {

				@Override
				public Mono<com.mongodb.reactivestreams.client.MongoDatabase> getMongoDatabase() {
					return Mono.defer(() -> {
						RESOLVED.incrementAndGet();
						return Mono.delay(SLOW).then(super.getMongoDatabase());
					});
				}

			};
		}

	}

}
