package io.github.hilo.processes;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.fixture.MongoTestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes of their own that take ids on event loops: none of these is ever blocked, and
 * the process ends once its context is closed.
 */
@Exhaustive
class ReactiveProcessTests {

	/**
	 * Its event loops are Netty's where Netty is there: BlockHound knows them.
	 */
	private static final String SYNCHRONOUS_DRIVER = "mongodb-driver-sync-";

	/**
	 * With it and both drivers on the class path no application of Spring Boot ends.
	 */
	private static final String NETTY = "netty-";

	private final ApplicationDatabase database = new ApplicationDatabase();

	@AfterEach
	void dropDatabase() {
		MongoTestServer.client().getDatabase(this.database.name()).drop();
	}

	@Test
	void withReactiveDriverOnlyNoEventLoopIsBlockedAndTheProcessEnds() throws Exception {
		assertWorksAndEnds(SYNCHRONOUS_DRIVER);
	}

	@Test
	void withBothDriversNoEventLoopIsBlockedAndTheProcessEnds() throws Exception {
		assertWorksAndEnds(NETTY);
	}

	@Test
	void eventLoopThatIsBlockedIsNoticed() throws Exception {
		try (ChildProcess process = start(SYNCHRONOUS_DRIVER, ReactiveProcess.BLOCK_ARGUMENT)) {
			assertThat(process.awaitOwnExit()).as("exit status of %s", process).isEqualTo(ReactiveProcess.EXIT_BLOCKED);
		}
	}

	private void assertWorksAndEnds(String withoutJar) throws InterruptedException {
		try (ChildProcess process = start(withoutJar)) {
			assertThat(process.awaitOwnExit()).as("exit status of %s", process).isZero();
			assertThat(process.toString())
				.contains(ReactiveProcess.DONE + ReactiveProcess.COUNT + " " + ReactiveProcess.COUNT);
		}
		assertThat(this.database.ids("orders")).hasSize(ReactiveProcess.COUNT);
		assertThat(StoredNumbers.of(this.database).lost()).as("what was unused went back").isZero();
	}

	private ChildProcess start(String withoutJar, String... properties) {
		List<String> jars = Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
		String classPath = jars.stream()
			.filter((jar) -> !new File(jar).getName().startsWith(withoutJar))
			.collect(Collectors.joining(File.pathSeparator));
		assertThat(classPath.split(File.pathSeparator)).hasSizeLessThan(jars.size());
		List<String> arguments = new ArrayList<>(List.of(this.database.connectionArguments()));
		arguments
			.addAll(List.of("--hilo.range.initial-size=1", "--hilo.range.max-size=4", "--spring.main.banner-mode=off"));
		arguments.addAll(List.of(properties));
		// BlockHound replaces native methods.
		return ChildProcess.start(ReactiveProcess.class, classPath, List.of("-XX:+AllowRedefinitionToAddDeleteMethods"),
				arguments);
	}

}
