package io.github.hilo.applications;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.mapping.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that serves each request on a virtual thread.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "Virtual threads came with Java 21")
@Thorough
class VirtualThreadsTests {

	private static final int REQUESTS = 1000;

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final ApplicationContextRunner application = this.database.contextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
		.withPropertyValues("spring.threads.virtual.enabled=true");

	@Test
	void thousandRequestsAtOnceGetTheNumbersFromOneToThousand() {
		this.application.run((context) -> {
			assertThat(context.getBean(AsyncTaskExecutor.class)
				.submit(() -> Thread.currentThread().getThreadGroup().getName())
				.get()).isEqualTo("VirtualThreads");
			assertThat(insert(context))
				.containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, REQUESTS).boxed().toList());
			assertThat(this.database.ids("orders")).hasSize(REQUESTS);
		});
	}

	private static List<@Nullable Long> insert(ApplicationContext context) {
		AsyncTaskExecutor requests = context.getBean(AsyncTaskExecutor.class);
		MongoTemplate template = context.getBean(MongoTemplate.class);
		List<CompletableFuture<@Nullable Long>> answers = IntStream.range(0, REQUESTS)
			.mapToObj((request) -> requests.submitCompletable(() -> template.insert(new Order(null)).id()))
			.toList();
		return answers.stream().map(CompletableFuture::join).toList();
	}

	@Document("orders")
	record Order(@Id @Nullable Long id) {
	}

}
