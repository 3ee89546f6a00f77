package io.github.hilo.applications;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Thorough;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

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

	/**
	 * Before Java 24 a virtual thread that waits in a synchronized block of a library
	 * pins its carrier, too.
	 */
	@Test
	@EnabledForJreRange(min = JRE.JAVA_24, disabledReason = "Synchronized blocks pin until Java 24")
	void waitingForARangePinsNoCarrier(@TempDir Path directory) throws IOException {
		Path file = directory.resolve("pinned.jfr");
		try (Recording recording = new Recording()) {
			recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
			this.application.run((context) -> {
				// Who waits while a class is being initialized is pinned as well.
				insert(context);
				recording.start();
				insert(context);
				recording.stop();
			});
			recording.dump(file);
		}
		assertThat(RecordingFile.readAllEvents(file)).noneMatch(VirtualThreadsTests::isWithinTheStarter);
	}

	private static List<@Nullable Long> insert(ApplicationContext context) {
		AsyncTaskExecutor requests = context.getBean(AsyncTaskExecutor.class);
		MongoTemplate template = context.getBean(MongoTemplate.class);
		List<CompletableFuture<@Nullable Long>> answers = IntStream.range(0, REQUESTS)
			.mapToObj((request) -> requests.submitCompletable(() -> template.insert(new Order(null)).id()))
			.toList();
		return answers.stream().map(CompletableFuture::join).toList();
	}

	private static boolean isWithinTheStarter(RecordedEvent pinned) {
		return Stream.of(Objects.requireNonNull(pinned.getStackTrace()))
			.flatMap((trace) -> trace.getFrames().stream())
			.map((frame) -> frame.getMethod().getType().getName())
			.anyMatch((type) -> type.startsWith("io.github.hilo.")
					&& !type.startsWith(VirtualThreadsTests.class.getPackageName()));
	}

	@Document("orders")
	record Order(@Id @Nullable Long id) {
	}

}
