package io.github.hilo.sample.demo;

import java.io.File;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A Chromium without a window. Browser and driver are those of the operating system:
 * nothing is downloaded.
 */
final class Browser implements AutoCloseable {

	private final ChromeDriver driver;

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	/**
	 * Whether there are a browser and its driver.
	 */
	static boolean isInstalled() {
		return browser().isPresent() && driver().isPresent();
	}

	static Browser start() {
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(browser().orElseThrow());
		// Containers have no user namespaces and little shared memory.
		options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
				"--disable-background-networking", "--hide-scrollbars");
		options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(driver().orElseThrow())
			.usingAnyFreePort()
			.withSilent(true)
			.build();
		Browser started = new Browser(new ChromeDriver(service, options));
		started.show(1200, 900);
		return started;
	}

	void open(String address) {
		this.driver.get(address);
	}

	/**
	 * Sets the size of what is seen, in CSS pixels, on a phone that has no more.
	 */
	void show(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
	}

	void prefer(String scheme) {
		prefer(scheme, "no-preference");
	}

	void prefer(String scheme, String motion) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme),
						Map.of("name", "prefers-reduced-motion", "value", motion))));
	}

	List<WebElement> all(String selector) {
		return this.driver.findElements(By.cssSelector(selector));
	}

	WebElement one(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	/**
	 * Returns the texts in one step, so that a page that changes meanwhile can't disturb.
	 */
	List<String> texts(String selector) {
		return strings("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector);
	}

	List<String> strings(String script, Object... arguments) {
		return (run(script, arguments) instanceof List<?> list) ? list.stream().map(String::valueOf).toList()
				: List.of();
	}

	@Nullable Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	/**
	 * Takes a picture of the whole page.
	 * @return a PNG
	 */
	byte[] picture() {
		Object data = this.driver
			.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
			.get("data");
		return Base64.getDecoder().decode(String.valueOf(data));
	}

	/**
	 * Returns and forgets what the console has shown.
	 */
	List<String> console() {
		return this.driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::getMessage).toList();
	}

	@Override
	public void close() {
		this.driver.quit();
	}

	private static Optional<File> browser() {
		return onPath("chromium", "chromium-browser", "google-chrome");
	}

	private static Optional<File> driver() {
		return onPath("chromedriver");
	}

	private static Optional<File> onPath(String... names) {
		return Stream.of(names)
			.flatMap((name) -> Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
				.map((directory) -> new File(directory, name)))
			.filter(File::canExecute)
			.findFirst();
	}

}
