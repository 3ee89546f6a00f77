package io.github.hilo.applications;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.core.SimpleReactiveMongoDatabaseFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The threads of an application: which it leaves, and which it does not rest on.
 */
class ThreadsTests {

	private final ApplicationDatabase database = new ApplicationDatabase();

	// Threads belong to the group of the one that starts them.
	private final ThreadGroup group = new ThreadGroup("application");

	@ParameterizedTest
	@EnumSource
	void closedContextsLeaveNoThread(Driver driver) throws Exception {
		inTheGroup(() -> {
			for (int i = 0; i < 20; i++) {
				driver.application(this.database).run((context) -> {
					driver.save(context.getBean(driver.usualName), new Crate(null));
					context.getBeanProvider(ReactiveHiLoIdGenerator.class)
						.ifAvailable((generator) -> generator.release().block());
					assertThat(threads()).isNotEmpty();
				});
			}
		});
		assertNoThreadIsLeft();
	}

	@ParameterizedTest
	@EnumSource
	void startThatFailsHalfWayLeavesNoThread(Driver driver) throws Exception {
		inTheGroup(() -> driver.application(this.database)
			.withBean(Failing.class, driver)
			.run((context) -> assertThat(context).hasFailed()));
		assertThat(this.database.ids("crates")).containsExactly(1L);
		assertNoThreadIsLeft();
	}

	/**
	 * The limit of a call whose factory never answers is kept by a thread of our own.
	 */
	@Test
	void blockedTimerOfTheJdkDoesNoHarm() {
		CountDownLatch blocked = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture.delayedExecutor(1, TimeUnit.NANOSECONDS, Runnable::run).execute(() -> {
			blocked.countDown();
			Awaitility.await().forever().until(() -> end.await(1, TimeUnit.MINUTES));
		});
		try {
			assertThat(blocked.await(1, TimeUnit.MINUTES)).isTrue();
			Driver.REACTIVE.application(this.database)
				.withPropertyValues("hilo.timeout=50ms")
				.withBean(ReactiveMongoDatabaseFactory.class, NeverAnswering::new)
				.run((context) -> assertThatExceptionOfType(HiLoUnavailableException.class)
					.isThrownBy(() -> context.getBean(ReactiveHiLoIdGenerator.class)
						.nextId("crates")
						.block(Duration.ofMinutes(1)))
					.withMessageContainingAll("its database", "50ms"));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			end.countDown();
		}
	}

	private void inTheGroup(Runnable applications) throws Exception {
		FutureTask<?> run = new FutureTask<>(applications, null);
		new Thread(this.group, run).start();
		run.get();
	}

	private void assertNoThreadIsLeft() {
		Awaitility.await().atMost(Duration.ofSeconds(1)).untilAsserted(() -> assertThat(threads()).isEmpty());
	}

	private List<String> threads() {
		Thread[] all = new Thread[this.group.activeCount() + 1_000];
		this.group.enumerate(all);
		return Stream.of(all)
			.filter(Objects::nonNull)
			.map(Thread::getName)
			.filter((name) -> name.startsWith("hilo-"))
			.toList();
	}

	record Failing(Driver driver, ApplicationContext context) implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
			this.driver.save(this.context.getBean(this.driver.usualName), new Crate(null));
			throw new IllegalStateException("does not start");
		}

	}

	static class NeverAnswering extends SimpleReactiveMongoDatabaseFactory {

		NeverAnswering() {
			super(MongoClients.create(MongoTestServer.uri()), "any");
		}

		@Override
		public Mono<MongoDatabase> getMongoDatabase() {
			return Mono.never();
		}

	}

}
