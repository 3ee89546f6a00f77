package io.github.hilo.applications;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The threads of an application.
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

}
