package io.github.hilo.sample.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shop's jar in a process of its own, with its data in memory.
 */
final class ShopProcess implements AutoCloseable {

	/**
	 * How a process ends that was told to stop: 128 and the signal's number.
	 */
	static final int EXIT_SIGTERM = 128 + 15;

	/**
	 * A JVM may take long on a machine that has other things to do.
	 */
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Pattern ADDRESS = Pattern.compile("curl (http://localhost:\\d+)/actuator/hilo");

	private final Process process;

	private final HttpClient client = HttpClient.newHttpClient();

	private final Queue<String> output = new ConcurrentLinkedQueue<>();

	private final CompletableFuture<String> address = new CompletableFuture<>();

	private ShopProcess(Process process) {
		this.process = process;
		Thread reader = new Thread(this::read, "shop-" + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Starts a shop.
	 * @param jvmOptions options of its JVM
	 * @return the shop, which may not be open yet
	 */
	static ShopProcess start(String... jvmOptions) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of(jvmOptions));
		command.addAll(List.of("-jar", Path.of("target", "sample-app.jar").toString(), "--sample.data=memory",
				"--server.port=0"));
		return new ShopProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	JsonNode get(String path) throws InterruptedException {
		return send(path, "GET");
	}

	JsonNode post(String path) throws InterruptedException {
		return send(path, "POST");
	}

	/**
	 * Tells the shop to close, and waits until it has.
	 * @return the exit status
	 */
	int stop() throws InterruptedException {
		// The handle's: the process's own also closes the pipe, and what it says is lost.
		this.process.toHandle().destroy();
		assertThat(this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("%s has ended", this).isTrue();
		return this.process.exitValue();
	}

	/**
	 * Tells what the shop has said.
	 * @return its lines
	 */
	List<String> output() {
		return List.copyOf(this.output);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	@Override
	public String toString() {
		return "shop " + this.process.pid() + ", which said\n" + String.join("\n", this.output);
	}

	private JsonNode send(String path, String method) throws InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(address() + path))
			.method(method, BodyPublishers.noBody())
			.timeout(PATIENCE)
			.build();
		try {
			HttpResponse<String> response = this.client.send(request, BodyHandlers.ofString());
			assertThat(response.statusCode()).as("%s %s: %s, by %s", method, path, response.body(), this)
				.isBetween(200, 299);
			return JsonMapper.shared().readTree(response.body());
		}
		catch (IOException ex) {
			throw new AssertionError("No answer from " + this, ex);
		}
	}

	private String address() throws InterruptedException {
		try {
			return this.address.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new AssertionError("It does not open: " + this, ex);
		}
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8)) {
			reader.lines().forEach((line) -> {
				this.output.add(line);
				Matcher address = ADDRESS.matcher(line);
				if (address.find()) {
					this.address.complete(address.group(1));
				}
			});
		}
		catch (IOException | UncheckedIOException ex) {
			// It was killed.
		}
		this.address.completeExceptionally(new IllegalStateException("The process has ended"));
	}

}
