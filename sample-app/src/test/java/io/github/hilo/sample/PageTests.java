package io.github.hilo.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import de.bwaldvogel.mongo.MongoServer;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Thorough;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page in a browser, on real shops. They are skipped where there is no Chromium.
 * <p>
 * {@code mvn -pl sample-app -am test -Dtest=PageTests#takesPicture
 * -Dsurefire.failIfNoSpecifiedTests=false -Dsample.picture=../docs/images/sample.png}
 * renews the README's picture.
 */
@EnabledIf(value = "io.github.hilo.sample.Browser#isInstalled",
		disabledReason = "There is no Chromium with its driver: apt-get install chromium chromium-driver")
class PageTests {

	private static final String PICTURE = "sample.picture";

	private static final String FIRST = ".node[data-slot='0'] ";

	private static final String SECOND = ".node[data-slot='1'] ";

	private static final String ORDERS = "#sequences .sequence:last-child ";

	/** Names the texts whose contrast is below that of WCAG's level AA. */
	private static final String FAINT_TEXTS = """
			const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
			const context = canvas.getContext('2d', { willReadFrequently: true });
			const over = (colors) => {
				context.clearRect(0, 0, 1, 1);
				for (const color of colors) {
					context.fillStyle = color;
					context.fillRect(0, 0, 1, 1);
				}
				const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
					.map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
				return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
			};
			const texts = [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility()
				&& [...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()));
			return texts.filter((one) => {
				const backgrounds = [];
				for (let parent = one; parent; parent = parent.parentElement) {
					backgrounds.unshift(getComputedStyle(parent).backgroundColor);
				}
				const behind = over(backgrounds);
				const front = over([...backgrounds, getComputedStyle(one).color]);
				return (Math.max(behind, front) + 0.05) / (Math.min(behind, front) + 0.05) < 4.5;
			}).map((one) => one.outerHTML);""";

	private static @Nullable Browser startedBrowser;

	private final Deque<ConfigurableApplicationContext> shops = new ArrayDeque<>();

	private final Browser browser = browser();

	private final ConfigurableApplicationContext shop = start("--sample.data=memory");

	@BeforeAll
	static void startBrowser() {
		startedBrowser = Browser.start();
	}

	@AfterAll
	static void closeBrowser() {
		if (startedBrowser != null) {
			startedBrowser.close();
		}
	}

	@BeforeEach
	void openPage() {
		this.browser.show(1200, 900);
		this.browser.prefer("light");
		this.browser.open(addressOf(this.shop));
		this.browser.console();
		await(() -> assertThat(text(FIRST + ".state")).isEqualTo("live"));
	}

	@AfterEach
	void closeShops() {
		// The page would go on asking.
		this.browser.open("about:blank");
		this.shops.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	@Thorough
	void saysWhatToDoWhereNothingIsReserved() {
		assertThat(this.browser.one("#no-sequences").isDisplayed()).isTrue();
		assertThat(this.browser.one("#no-ids").isDisplayed()).isTrue();
		assertThat(text(".second code")).contains("--server.port=" + (portOf(this.shop) + 1), "--hilo.node-tag=B",
				"--spring.mongodb.uri=" + uriOf(this.shop));
		assertQuietConsole();
	}

	@Test
	void showsRangeAndIdOfOrder() {
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1–32 1 used, 31 left"));
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactly("orders/1-A"));
		assertThat(this.browser.run("return document.querySelector('.cell .used').style.width")).isEqualTo("3.125%");
		assertThat(text(FIRST + ".message")).isEqualTo("Created orders/1-A.");
		assertThat(text(FIRST + ".rate-text")).isEqualTo("1 reservation for 1 id");
		assertThat(this.browser.one("#no-sequences").isDisplayed()).isFalse();
		assertThat(this.browser.one("#no-ids").isDisplayed()).isFalse();
		assertQuietConsole();
	}

	@Test
	@Thorough
	void showsNewestIdsOfManyOrders() {
		create(FIRST, 100);
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactlyElementsOf(
				IntStream.range(0, 20).mapToObj((index) -> "orders/" + (100 - index) + "-A").toList()));
		assertThat(text(FIRST + ".message")).matches("Created 100 orders in .*: orders/1-A to orders/100-A\\.");
		assertQuietConsole();
	}

	@Test
	@Thorough
	void takesNoSecondClickWhileOrdersAreCreated() {
		// One script, so that nothing can happen between the clicks.
		this.browser.run("""
				const button = document.querySelector(arguments[0]);
				button.click();
				button.click();
				document.querySelector(arguments[1]).click();""", button(FIRST, 10_000), button(FIRST, 100));
		assertThat(this.browser.one(button(FIRST, 10_000)).getAttribute("aria-busy")).isEqualTo("true");
		assertThat(this.browser.one(button(FIRST, 1)).getAttribute("aria-disabled")).isEqualTo("true");
		await(() -> assertThat(this.browser.one(FIRST + "progress").isDisplayed()).isTrue());
		await(() -> assertThat(text(FIRST + ".message")).startsWith("Created 10,000 orders in "));
		assertThat(this.browser.one(button(FIRST, 10_000)).getAttribute("aria-busy")).isEqualTo("false");
		assertThat(this.browser.one(FIRST + "progress").isDisplayed()).isFalse();
		assertThat(this.shop.getBean(OrderRepository.class).count()).isEqualTo(10_000);
		await(() -> assertThat(text(ORDERS + ".counts")).startsWith("A: 10,000 ids from "));
		assertQuietConsole();
	}

	@Test
	@Thorough
	void issuesInvoices() {
		click(FIRST + ".invoice");
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactly("1 invoice"));
		assertThat(text(FIRST + ".message")).isEqualTo("Issued invoice 1.");
		assertThat(this.browser.texts("#sequences h3")).containsExactly("invoices");
		assertThat(this.browser.texts("#sequences .strict")).singleElement().asString().startsWith("In strict order");
		assertThat(this.browser.one("#sequences .line").isDisplayed()).isFalse();
		assertQuietConsole();
	}

	@Test
	@Thorough
	void addsCustomers() {
		click(FIRST + ".customer");
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactly("1 customer"));
		assertThat(text(FIRST + ".message")).isEqualTo("Added customer 1.");
		assertThat(this.browser.texts("#sequences h3")).containsExactly("customers.number");
		assertThat(this.browser.one("#sequences .strict").isDisplayed()).isFalse();
		assertQuietConsole();
	}

	@Test
	@Thorough
	void givesRangesBack() {
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1–32 1 used, 31 left"));
		click(FIRST + ".release");
		await(() -> assertThat(text(FIRST + ".message")).startsWith("Gave back all 31 unused numbers."));
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 used up"));
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 used up", "A 2–33 1 used, 31 left"));
		assertQuietConsole();
	}

	@Test
	@Thorough
	void showsRangesOfTwoNodesOnOneLine() {
		lookAtSecondNode();
		interleave();
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1–32 used up", "B 33–64 1 used, 31 left",
				"A 65–128 1 used, 63 left"));
		assertThat(this.browser.texts("#ids li")).startsWith("orders/65-A").contains("orders/33-B");
		assertThat(this.browser.texts("#ids li[data-slot='1']")).containsExactly("orders/33-B");
		assertThat(text(ORDERS + ".counts")).isEqualTo("A: 33 ids from 2 reservations · B: 1 id from 1 reservation");
		assertQuietConsole();
	}

	@Test
	@Thorough
	void showsGapOfWhatCouldNotGoBack() {
		lookAtSecondNode();
		create(FIRST, 1);
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).hasSize(2));
		click(FIRST + ".release");
		await(() -> assertThat(text(FIRST + ".message")).startsWith("Gave back 0 of 31 unused numbers."));
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 used up", "A 2–32 gap, 31 never used",
				"B 33–64 1 used, 31 left"));
		click(SECOND + ".release");
		await(() -> assertThat(text(SECOND + ".message")).startsWith("Gave back all 31 unused numbers."));
		assertQuietConsole();
	}

	@Test
	@Thorough
	void waitsForSecondNodeAndSaysWhenItIsGone() {
		int port = freePort();
		look("http://localhost:" + port);
		String address = "http://localhost:" + port;
		await(() -> assertThat(text("#second-message"))
			.isEqualTo(address + " can't be reached. Is a shop running there? This page keeps trying."));
		ConfigurableApplicationContext second = startSecond(port);
		await(() -> assertThat(text(SECOND + ".state")).isEqualTo("live"));
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1–32 1 used, 31 left"));
		second.close();
		await(() -> assertThat(text(SECOND + ".state")).startsWith("not readable since ")
			.endsWith(address + " can't be reached. Is a shop running there?"));
		assertThat(cells(ORDERS)).containsExactly("B 1–32 1 used, 31 left when last seen");
		click(SECOND + ".create");
		await(() -> assertThat(text(SECOND + ".message")).startsWith(address + " can't be reached."));
		startSecond(port);
		await(() -> assertThat(text(SECOND + ".state")).isEqualTo("live"));
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).contains("B 2–33 1 used, 31 left"));
		click(SECOND + ".leave");
		await(() -> assertThat(this.browser.one(".second").isDisplayed()).isTrue());
	}

	@Test
	@Thorough
	void keepsLookingAfterReload() {
		lookAtSecondNode();
		this.browser.run("location.reload()");
		await(() -> assertThat(this.browser.texts(SECOND + ".state")).containsExactly("live"));
	}

	@Test
	@Thorough
	void saysWhatTheNodeRefused() {
		this.browser.run("document.querySelector('.create').dataset.count = '0.5'");
		click(FIRST + ".create");
		await(() -> assertThat(text(FIRST + ".message")).isEqualTo(
				withoutSlash(addressOf(this.shop)) + " refused (400): Failed to convert 'count' with value: '0.5'"));
	}

	@Test
	@Thorough
	void refusesAddressThatIsNoOtherLocalShop() {
		String local = "Only shops on this computer can be looked at: http://localhost with a port.";
		String itself = addressOf(this.shop);
		Map.of("https://example.com", local, "http://example.com:80", local, "https://localhost:8081", local,
				"localhost:many", "“localhost:many” is no address. One looks like http://localhost:8081.", " ",
				"Enter an address such as http://localhost:8081.", itself.replace("localhost", "127.0.0.1"),
				"That is this node. The second one has another port.")
			.forEach((address, message) -> {
				look(address);
				await(() -> assertThat(text("#second-message")).isEqualTo(message));
			});
	}

	@Test
	@Thorough
	void showsNamesAsTextWhateverTheyContain() {
		String name = "<img src=x onerror=\"document.title = 'executed'\"><b>&amp;";
		this.shop.getBean(HiLoIdGenerator.class).nextId(name);
		await(() -> assertThat(this.browser.texts("#sequences h3")).containsExactly(name));
		assertThat(this.browser.all("#sequences img, #sequences b")).isEmpty();
		assertThat(this.browser.run("return document.title")).isEqualTo("HiLo ids, live");
		assertQuietConsole();
	}

	@Test
	@Thorough
	void formatsLargeNumbers() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		IntStream.range(0, 2000).forEach((index) -> ids.nextId("orders"));
		await(() -> assertThat(text(ORDERS + ".counts")).startsWith("A: 2,000 ids from "));
		assertThat(cells(ORDERS)).anySatisfy((cell) -> assertThat(cell).matches("A \\d,\\d{3}–\\d,\\d{3} .*"));
	}

	@Test
	@Thorough
	void needsNoScrollingSideways() {
		assertFits();
		lookAtSecondNode();
		interleave();
		create(SECOND, 10_000);
		await(() -> assertThat(text(SECOND + ".message")).startsWith("Created 10,000 orders in "));
		await(() -> assertThat(cells(ORDERS)).hasSizeGreaterThan(4));
		assertFits();
		assertQuietConsole();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "light | rgb(250, 249, 246)", "dark | rgb(19, 21, 24)" })
	@Thorough
	void isReadableInBothSchemes(String scheme, String background) {
		this.browser.prefer(scheme);
		lookAtSecondNode();
		interleave();
		await(() -> assertThat(cells(ORDERS)).hasSize(3));
		assertThat(this.browser.run("return getComputedStyle(document.body).backgroundColor")).isEqualTo(background);
		assertThat(this.browser.strings(FAINT_TEXTS)).isEmpty();
	}

	@Test
	@Thorough
	void loadsNothingFromElsewhere() {
		assertThat(this.browser.strings("return performance.getEntriesByType('resource').map((entry) => entry.name)"))
			.isNotEmpty()
			.allMatch((address) -> address.startsWith(addressOf(this.shop)));
	}

	@Test
	@EnabledIfSystemProperty(named = PICTURE, matches = ".+")
	void takesPicture() throws IOException {
		lookAtSecondNode();
		interleave();
		for (int order = 0; order < 9; order++) {
			create(FIRST, 1);
			create(SECOND, 1);
		}
		click(FIRST + ".invoice");
		click(SECOND + ".invoice");
		await(() -> assertThat(this.browser.texts("#sequences h3")).hasSize(2));
		await(() -> assertThat(this.browser.all("#ids .new:first-child")).isNotEmpty());
		await(() -> assertThat(this.browser.run("return document.getAnimations().length")).isEqualTo(0L));
		Path file = Path.of(System.getProperty(PICTURE));
		Files.write(file, this.browser.picture());
		assertThat(file).satisfies((written) -> assertThat(Files.size(written)).isLessThan(200_000));
	}

	/**
	 * Lets the first node use up a range, the second take the next one, and the first the
	 * one after that.
	 */
	private void interleave() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		create(FIRST, 1);
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).hasSize(2));
		IntStream.range(0, 31).forEach((index) -> ids.nextId("orders"));
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).hasSize(3));
	}

	private void lookAtSecondNode() {
		look(addressOf(startSecond(0)));
		await(() -> assertThat(this.browser.texts(SECOND + ".state")).containsExactly("live"));
	}

	private void look(String address) {
		this.browser.run("document.getElementById('address').value = arguments[0]", address);
		click(".second [type='submit']");
	}

	private void create(String node, int count) {
		click(button(node, count));
		if (count < 10_000) {
			await(() -> assertThat(this.browser.one(button(node, count)).getAttribute("aria-busy")).isEqualTo("false"));
			assertThat(text(node + ".message")).startsWith("Created ");
		}
	}

	private void click(String selector) {
		this.browser.run("document.querySelector(arguments[0]).click()", selector);
	}

	private String text(String selector) {
		return String.join(" ", this.browser.texts(selector));
	}

	/** A line's bars in words, such as {@code B 33–64 1 used, 31 left}. */
	private List<String> cells(String sequence) {
		return this.browser.strings(
				"""
						return [...document.querySelectorAll(arguments[0])].map((cell) =>
								[...cell.querySelectorAll('.tag, .numbers, .note')].map((part) => part.textContent).join(' '))""",
				sequence + ".cell");
	}

	private void assertFits() {
		for (int width : new int[] { 320, 360, 768, 1200 }) {
			this.browser.show(width, 780);
			assertThat(this.browser.run("return document.documentElement.scrollWidth")).as("at a width of %d", width)
				.isEqualTo((long) width);
		}
	}

	private void assertQuietConsole() {
		assertThat(this.browser.console()).isEmpty();
	}

	private ConfigurableApplicationContext startSecond(int port) {
		return start("--server.port=" + port, "--hilo.node-tag=B", "--spring.mongodb.uri=" + uriOf(this.shop));
	}

	private ConfigurableApplicationContext start(String... arguments) {
		ConfigurableApplicationContext started = new SpringApplicationBuilder(ShopApplication.class)
			.properties("server.port=0")
			.run(arguments);
		// The embedded server is the first shop's.
		this.shops.push(started);
		return started;
	}

	private static Browser browser() {
		assertThat(startedBrowser).isNotNull();
		return startedBrowser;
	}

	private static void await(ThrowingRunnable assertion) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50)).untilAsserted(assertion);
	}

	private static String button(String node, int count) {
		return node + "[data-count='" + count + "']";
	}

	private static String addressOf(ConfigurableApplicationContext shop) {
		return "http://localhost:" + portOf(shop) + "/";
	}

	private static String withoutSlash(String address) {
		return address.substring(0, address.length() - 1);
	}

	private static int portOf(ConfigurableApplicationContext shop) {
		return shop.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private static String uriOf(ConfigurableApplicationContext shop) {
		return shop.getBean(MongoServer.class).getConnectionString() + "/shop";
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
