package io.github.hilo.sample.demo;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.sample.ShopApplication;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A visit of the page with a Chromium of the operating system, without a window. It is
 * skipped where there is none.
 */
@EnabledIf(value = "isBrowserInstalled",
		disabledReason = "There is no Chromium with its driver: apt-get install chromium chromium-driver")
@Exhaustive
class PageTests {

	private static final String FIRST = ".node[data-slot='0'] ";

	private static final String SECOND = ".node[data-slot='1'] ";

	private final ConfigurableApplicationContext shop = new SpringApplicationBuilder(ShopApplication.class)
		.properties("server.port=0")
		.run("--sample.data=memory", "--hilo.timeout=3s");

	private final ChromeDriver browser = browser();

	@BeforeEach
	void openPage() {
		show(1200, 900, "light");
		this.browser
			.get("http://localhost:" + this.shop.getEnvironment().getRequiredProperty("local.server.port") + "/");
		await(() -> assertThat(texts(FIRST + ".state")).containsExactly("live"));
	}

	@AfterEach
	void close() {
		this.browser.quit();
		this.shop.close();
	}

	@Test
	void visitorOrdersKillsASecondProcessAndSeesAnOutageAndItsEnd() {
		click(FIRST + ".create");
		await(() -> assertThat(ranges()).containsExactly("A 1 to 32 1 used, 31 left"));
		assertThat(texts("#ids li")).containsExactly("orders/1-A");
		click(".start");
		await(() -> assertThat(texts(SECOND + ".state")).containsExactly("live"));
		click(SECOND + ".create");
		await(() -> assertThat(ranges()).containsExactly("A 1 to 32 1 used, 31 left", "B 33 to 64 1 used, 31 left"));
		click(SECOND + ".kill");
		await(() -> assertThat(ranges()).containsExactly("A 1 to 32 1 used, 31 left", "B 33 used up",
				"B 34 to 64 gap, 31 never used"));
		assertThat(texts("#second-message")).containsExactly("B was killed. Its 31 unused numbers are a gap now.");
		String markup = "<img src=x onerror=\"document.title = 'executed'\">";
		this.shop.getBean(HiLoIdGenerator.class).nextId(markup);
		await(() -> assertThat(texts(".sequence h3")).containsExactly("orders", markup));
		assertThat(this.browser.getTitle()).isEqualTo("HiLo ids, live");
		assertThat(this.browser.manage().logs().get(LogType.BROWSER)).as("what the console shows").isEmpty();
		MongoServer server = this.shop.getBean(MongoServer.class);
		InetSocketAddress address = server.getLocalAddress();
		server.shutdownNow();
		await(() -> assertThat(texts(FIRST + ".state")).singleElement()
			.asString()
			.startsWith("MongoDB refuses connections since "));
		MongoServer again = new MongoServer(new MemoryBackend());
		again.bind(address);
		try {
			await(() -> assertThat(texts(FIRST + ".state")).containsExactly("live"));
		}
		finally {
			again.shutdownNow();
		}
	}

	@Test
	void axeFindsNoBarrier() throws IOException {
		click(".start");
		await(() -> assertThat(texts(SECOND + ".state")).containsExactly("live"));
		click(FIRST + ".create");
		click(SECOND + ".create");
		await(() -> assertThat(ranges()).hasSize(2));
		try (InputStream axe = Objects.requireNonNull(getClass().getResourceAsStream("/axe.min.js"))) {
			this.browser.executeScript(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
		}
		for (String scheme : List.of("light", "dark")) {
			for (int width : new int[] { 390, 1200 }) {
				show(width, 844, scheme);
				assertThat(strings("""
						return axe.run().then(({ violations }) =>
								violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))"""))
					.as("%s, %d wide", scheme, width)
					.isEmpty();
			}
		}
	}

	/**
	 * Sets the size of what is seen, in CSS pixels, and the colours that are preferred.
	 */
	private void show(int width, int height, String scheme) {
		this.browser.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
		this.browser.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	private void click(String selector) {
		this.browser.executeScript("document.querySelector(arguments[0]).click()", selector);
	}

	/** The bars of the orders in words, such as {@code B 33 to 64 1 used, 31 left}. */
	private List<String> ranges() {
		return strings("""
				return [...document.querySelectorAll('#sequences .sequence:first-child .cell')].map((cell) =>
						[...cell.querySelectorAll('.tag, .numbers, .note')].map((part) => part.textContent)
							.filter((text) => text).join(' '))""");
	}

	/** In one step, so that a page that changes meanwhile can't disturb. */
	private List<String> texts(String selector) {
		return strings("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector);
	}

	private List<String> strings(String script, @Nullable Object... arguments) {
		return (this.browser.executeScript(script, arguments) instanceof List<?> list)
				? list.stream().map(String::valueOf).toList() : List.of();
	}

	private static void await(ThrowingRunnable assertion) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
	}

	static boolean isBrowserInstalled() {
		return onPath("chromium", "chromium-browser", "google-chrome").isPresent()
				&& onPath("chromedriver").isPresent();
	}

	private static ChromeDriver browser() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(onPath("chromium", "chromium-browser", "google-chrome").orElseThrow());
		// Containers have no user namespaces and little shared memory.
		options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
				"--disable-background-networking");
		return new ChromeDriver(
				new ChromeDriverService.Builder().usingDriverExecutable(onPath("chromedriver").orElseThrow())
					.withSilent(true)
					.build(),
				options);
	}

	private static Optional<File> onPath(String... names) {
		return Stream.of(names)
			.flatMap((name) -> Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
				.map((directory) -> new File(directory, name)))
			.filter(File::canExecute)
			.findFirst();
	}

}
