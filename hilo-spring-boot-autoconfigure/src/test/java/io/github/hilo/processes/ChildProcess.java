package io.github.hilo.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A process that inserts, as the test that started it sees it.
 */
final class ChildProcess implements AutoCloseable {

	/**
	 * How a process ends that was told to stop: 128 and the signal's number.
	 */
	private static final int EXIT_SIGTERM = 128 + 15;

	private static final int EXIT_SIGKILL = 128 + 9;

	/**
	 * A JVM may take long to start on a machine that has other things to do.
	 */
	private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

	/**
	 * Less than {@code hilo.timeout} and the time that Spring gives a phase to stop: no
	 * stop may have run into one of them.
	 */
	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(9);

	private final Process process;

	private final Queue<String> output = new ConcurrentLinkedQueue<>();

	private final CompletableFuture<@Nullable Void> inserting = new CompletableFuture<>();

	private final CompletableFuture<@Nullable Void> outputEnded = new CompletableFuture<>();

	private ChildProcess(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "child-" + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts a process.
	 * @param main the class whose {@code main} method it runs
	 * @param classPath where it finds its classes
	 * @param options options of the JVM
	 * @param arguments its properties
	 * @return the process
	 */
	static ChildProcess start(Class<?> main, String classPath, List<String> options, List<String> arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx96m",
						"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
		command.addAll(options);
		command.add(main.getName());
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().put("CLASSPATH", classPath);
		try {
			return new ChildProcess(builder.start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	ChildProcess awaitInserting() throws InterruptedException {
		try {
			this.inserting.get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
			return this;
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new AssertionError("It does not insert: " + this, ex);
		}
	}

	/**
	 * Lets the process run.
	 * @param duration for so long
	 */
	void run(Duration duration) throws InterruptedException {
		if (this.process.waitFor(duration.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new AssertionError("It ended by itself with " + this.process.exitValue() + ": " + this);
		}
	}

	void kill() throws InterruptedException {
		this.process.destroyForcibly();
		// Anything else, and it was about to end by itself.
		assertThat(awaitExit(STOP_TIMEOUT)).as("exit status of %s", this).isEqualTo(EXIT_SIGKILL);
	}

	/**
	 * Tells the process to stop, and waits until it has.
	 * @return how many inserts it had got an acknowledgement for
	 */
	long terminate() throws InterruptedException {
		// The handle's: the process's own also closes the pipe, and what it says is lost.
		this.process.toHandle().destroy();
		assertThat(awaitExit(STOP_TIMEOUT)).as("exit status of %s", this).isEqualTo(EXIT_SIGTERM);
		return this.output.stream()
			.filter((line) -> line.startsWith(InsertingProcess.ACKNOWLEDGED))
			.mapToLong((line) -> Long.parseLong(line.substring(InsertingProcess.ACKNOWLEDGED.length())))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No orderly end: " + this));
	}

	/**
	 * Waits for an end that nobody asked for.
	 * @return the exit status
	 */
	int awaitOwnExit() throws InterruptedException {
		return awaitExit(START_TIMEOUT);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	@Override
	public String toString() {
		return "process " + this.process.pid() + ", which said " + this.output;
	}

	private int awaitExit(Duration timeout) throws InterruptedException {
		assertThat(this.process.waitFor(timeout.toSeconds(), TimeUnit.SECONDS))
			.as("%s has ended within %s", this, timeout)
			.isTrue();
		this.outputEnded.join();
		return this.process.exitValue();
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8)) {
			reader.lines().forEach((line) -> {
				this.output.add(line);
				if (line.equals(InsertingProcess.INSERTING)) {
					this.inserting.complete(null);
				}
			});
		}
		catch (IOException | UncheckedIOException ex) {
			// It was killed.
		}
		this.inserting.completeExceptionally(new IllegalStateException("The process has ended"));
		this.outputEnded.complete(null);
	}

}
