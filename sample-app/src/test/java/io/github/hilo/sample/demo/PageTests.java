package io.github.hilo.sample.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.Exhaustive;
import io.github.hilo.sample.ShopApplication;
import io.github.hilo.sample.shop.OrderRepository;
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
import org.junit.jupiter.params.provider.ValueSource;

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
@EnabledIf(value = "io.github.hilo.sample.demo.Browser#isInstalled",
		disabledReason = "There is no Chromium with its driver: apt-get install chromium chromium-driver")
@Exhaustive
class PageTests {

	private static final String PICTURE = "sample.picture";

	private static final String FIRST = ".node[data-slot='0'] ";

	private static final String SECOND = ".node[data-slot='1'] ";

	private static final String ORDERS = "#sequences .sequence:first-child ";

	/** Finds the contrast of some elements' colours with what is behind them. */
	private static final String CONTRAST = """
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
			const contrast = (one, around, color) => {
				const backgrounds = [];
				for (let parent = around; parent; parent = parent.parentElement) {
					backgrounds.unshift(getComputedStyle(parent).backgroundColor);
				}
				const [behind, front] = [over(backgrounds), over([...backgrounds, getComputedStyle(one)[color]])];
				return (Math.max(behind, front) + 0.05) / (Math.min(behind, front) + 0.05);
			};""";

	/** Names the texts whose contrast is below that of WCAG's level AA. */
	private static final String FAINT_TEXTS = CONTRAST + """
			return [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility() && !one.disabled
				&& [...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim())
				&& contrast(one, one, 'color') < 4.5).map((one) => one.outerHTML);""";

	/**
	 * Names the used-up bars, and the edges of the others, whose contrast is below 3:1.
	 */
	private static final String FAINT_BARS = CONTRAST
			+ """
					return [...document.querySelectorAll('.bar i, .swatch.past')].filter((one) => contrast(one, one.parentElement,
						one.matches('[data-kind="past"] i, .past') ? 'backgroundColor' : 'borderTopColor') < 3)
						.map((one) => one.outerHTML);""";

	private static @Nullable Browser startedBrowser;

	private final Deque<ConfigurableApplicationContext> shops = new ArrayDeque<>();

	private final Browser browser = browser();

	private final ConfigurableApplicationContext shop = start("--sample.data=memory", "--hilo.timeout=3s");

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
	void saysWhatToDoWhereNothingIsReserved() {
		assertThat(cells(ORDERS)).containsExactly("1 to 32 the first order reserves these");
		assertThat(text(".sentence")).isEqualTo("An example: 1,000 ids take 6 trips to MongoDB. One by one: 1,000.");
		assertThat(this.browser.all(ORDERS + "[data-kind='ghost'] .small i")).hasSize(32);
		await(() -> assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBno counter yet"));
		assertThat(this.browser.one("#no-ids").isDisplayed()).isTrue();
		assertThat(text(".second code")).contains("--server.port=" + (portOf(this.shop) + 1), "--hilo.node-tag=B",
				"--spring.mongodb.uri=" + uriOf(this.shop));
		assertQuietConsole();
	}

	@Test
	void showsRangeAndIdOfOrder() {
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left"));
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactly("orders/1-A"));
		assertThat(this.browser.all(ORDERS + ".small .used")).hasSize(1);
		assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBMax = 32");
		assertThat(text(FIRST + ".message")).isEqualTo("Created orders/1-A.");
		assertThat(text(".sentence")).isEqualTo("1 id took 1 trip to MongoDB. One by one: 1.");
		assertThat(text(".held")).isEqualTo("and 31 more numbers in memory");
		assertThat(this.browser.one("#no-ids").isDisplayed()).isFalse();
		assertQuietConsole();
	}

	@Test
	void showsNewestIdsOfManyOrders() {
		create(FIRST, 100);
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactlyElementsOf(
				IntStream.range(0, 20).mapToObj((index) -> "orders/" + (100 - index) + "-A").toList()));
		assertThat(text(FIRST + ".message")).matches("Created 100 orders in .*: orders/1-A to orders/100-A\\.");
		assertQuietConsole();
	}

	@Test
	void losesNoClickWhileOrdersAreCreated() {
		// One script, so that nothing can happen between the clicks.
		this.browser.run("""
				document.querySelector(arguments[0]).click();
				document.querySelector(arguments[1]).click();
				document.querySelector(arguments[2]).click();""", button(FIRST, 10_000), button(FIRST, 100),
				FIRST + ".invoice");
		assertThat(this.browser.one(button(FIRST, 10_000)).getAttribute("aria-busy")).isEqualTo("true");
		assertThat(this.browser.one(FIRST + ".invoice").getAttribute("aria-busy")).isEqualTo("true");
		await(() -> assertThat(this.browser.one(FIRST + "progress").isDisplayed()).isTrue());
		await(() -> assertThat(text(FIRST + ".message")).isEqualTo("Issued invoice 1."));
		assertThat(this.browser.one(button(FIRST, 10_000)).getAttribute("aria-busy")).isEqualTo("false");
		assertThat(this.browser.one(FIRST + "progress").isDisplayed()).isFalse();
		assertThat(this.shop.getBean(OrderRepository.class).count()).isEqualTo(10_100);
		await(() -> assertThat(text(ORDERS + ".counts")).startsWith("A: 10,100 ids, "));
		assertQuietConsole();
	}

	@Test
	void createsAnOrderForEachOfManyClicks() {
		this.browser.run("""
				for (let click = 0; click < 20; click++) {
					document.querySelector(arguments[0]).click();
				}""", button(FIRST, 1));
		await(() -> assertThat(text(FIRST + ".message")).startsWith("Created 20 orders in ")
			.endsWith(": orders/1-A to orders/20-A."));
		assertThat(this.shop.getBean(OrderRepository.class).count()).isEqualTo(20);
	}

	@Test
	void issuesInvoices() {
		click(FIRST + ".invoice");
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactly("1 invoice"));
		assertThat(text(FIRST + ".message")).isEqualTo("Issued invoice 1.");
		assertThat(this.browser.texts(".sequence h3")).containsExactly("orders", "invoices");
		assertThat(text("#others .counter")).isEqualTo("MongoDBMax = 1");
		assertThat(cells("#others ")).containsExactly("A 1 strict order: one trip for each number");
		assertQuietConsole();
	}

	@Test
	void addsCustomers() {
		click(FIRST + ".customer");
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactly("1 customer"));
		assertThat(text(FIRST + ".message")).isEqualTo("Added customer 1.");
		assertThat(this.browser.texts(".sequence h3")).containsExactly("orders", "customers.number");
		assertQuietConsole();
	}

	@Test
	void returnsRanges() {
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left"));
		click(FIRST + ".release");
		await(() -> assertThat(text(FIRST + ".message")).startsWith("Returned 31 of 31 unused numbers."));
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 used up"));
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 used up", "A 2 to 33 1 used, 31 left"));
		assertQuietConsole();
	}

	@Test
	void showsRangesOfTwoNodesOnOneLine() {
		lookAtSecondNode();
		interleave();
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 used up", "B 33 to 64 1 used, 31 left",
				"A 65 to 128 1 used, 63 left"));
		assertThat(this.browser.texts("#ids li")).startsWith("orders/65-A").contains("orders/33-B");
		assertThat(this.browser.texts("#ids li[data-slot='1']")).containsExactly("orders/33-B");
		assertThat(text(ORDERS + ".counts")).isEqualTo("A: 33 ids, 2 trips · B: 1 id, 1 trip");
		assertQuietConsole();
	}

	@Test
	void counterStandsAtTheEndOfTheLine() {
		recordTokens();
		create(FIRST, 1);
		await(() -> assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBMax = 32"));
		await(() -> assertThat(tokens()).as("one reservation").containsExactly("A"));
		create(FIRST, 1);
		click(FIRST + ".release");
		await(() -> assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBMax = 2"));
		await(() -> assertThat(tokens()).as("nothing for an id from memory").containsExactly("A", "A −30"));
		click(FIRST + ".invoice");
		await(() -> assertThat(tokens()).containsExactly("A", "A −30", "A"));
		await(() -> assertThat(this.browser.all(".token")).as("at rest").isEmpty());
		assertThat(this.browser.strings("""
				return [...document.querySelectorAll('.line')].map((line) => line.lastElementChild.className)"""))
			.containsExactly("counter", "counter");
		assertQuietConsole();
	}

	@Test
	void movesNothingForThoseWhoPreferThat() {
		this.browser.prefer("light", "reduce");
		recordTokens();
		this.browser.run("Element.prototype.animate = () => { throw new Error('animated'); }");
		create(FIRST, 100);
		click(FIRST + ".release");
		await(() -> assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBMax = 100"));
		assertThat(tokens()).isEmpty();
		assertThat(this.browser.run("return document.getAnimations().length")).isEqualTo(0L);
		assertQuietConsole();
	}

	@Test
	void saysHowFewTripsIdsTake() {
		create(FIRST, 100);
		click(FIRST + ".invoice");
		click(FIRST + ".customer");
		await(() -> assertThat(text(".sentence")).isEqualTo("101 ids took 4 trips to MongoDB. One by one: 101."));
		assertThat(widthOf(".bar-ones") / widthOf(".bar-trips")).as("to scale").isBetween(20.0, 30.0);
	}

	@Test
	void numbersAreCellsWhileARangeIsSmall() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		createSome(FIRST, 3);
		await(() -> assertThat(this.browser.all(ORDERS + ".small i")).hasSize(32));
		assertThat(this.browser.all(ORDERS + ".small .used")).hasSize(3);
		assertThat(this.browser.texts("#ids li")).containsExactly("orders/3-A", "orders/2-A", "orders/1-A");
		create(FIRST, 1);
		await(() -> assertThat(this.browser.all(ORDERS + ".small .lit")).as("the new one lights up").isNotEmpty());
		IntStream.range(0, 100).forEach((index) -> ids.nextId("orders"));
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 used up", "A 33 to 96 used up",
				"A 97 to 224 8 used, 120 left"));
		assertThat(this.browser.all(ORDERS + ".small")).as("a large range is a bar").isEmpty();
	}

	@Test
	void saysHowManyRangesOneBarStandsFor() {
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).hasSize(1));
		lookAway();
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		IntStream.range(0, 300).forEach((index) -> ids.nextId("orders"));
		lookAgain();
		await(() -> assertThat(cells(ORDERS)).startsWith("A 1 to 32 used up", "A 33 to 224 2 ranges"));
	}

	@Test
	void startsASecondNodeAndShowsWhatItsStopReturns() {
		startSecondByClick();
		create(FIRST, 1);
		createSome(SECOND, 2);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left",
				"B 33 to 64 2 used, 30 left"));
		assertThat(this.browser.one(SECOND + ".leave").isDisplayed()).isFalse();
		click(SECOND + ".stop");
		await(() -> assertThat(text("#second-message")).isEqualTo("B stopped. It returned 30 of 30 unused numbers."));
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left", "B 33 to 34 used up"));
		assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBMax = 34");
		create(FIRST, 100);
		await(() -> assertThat(cells(ORDERS)).contains("B 33 to 34 used up"));
		assertNoNumberIsShownTwice();
		assertQuietConsole();
	}

	@Test
	void showsTheGapThatAKillLeaves() {
		startSecondByClick();
		createSome(SECOND, 2);
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1 to 32 2 used, 30 left"));
		click(SECOND + ".kill");
		await(() -> assertThat(text("#second-message"))
			.isEqualTo("B was killed. Its 30 unused numbers are a gap now."));
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1 to 2 used up", "B 3 to 32 gap, 30 never used"));
		assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBMax = 32");
		startSecondByClick();
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1 to 2 used up", "B 3 to 32 gap, 30 never used",
				"B 33 to 64 1 used, 31 left"));
		assertThat(text(ORDERS + ".counts")).isEqualTo("B: 3 ids, 2 trips");
		this.browser.run("location.reload()");
		await(() -> assertThat(this.browser.texts(SECOND + ".state")).containsExactly("live"));
		assertThat(this.browser.one(SECOND + ".kill").isDisplayed()).isTrue();
	}

	@Test
	void rangeThatAnotherBeginsInsideOfIsNotShownAsHeld() {
		lookAtSecondNode();
		ConfigurableApplicationContext second = this.shops.getFirst();
		createSome(SECOND, 2);
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1 to 32 2 used, 30 left"));
		second.close();
		this.shop.getBean(HiLoIdGenerator.class).nextId("orders");
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1 to 2 used up", "A 3 to 34 1 used, 31 left"));
		assertNoNumberIsShownTwice();
	}

	@Test
	void showsGapOfWhatCouldNotGoBack() {
		lookAtSecondNode();
		create(FIRST, 1);
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).hasSize(2));
		click(FIRST + ".release");
		await(() -> assertThat(text(FIRST + ".message")).startsWith("Returned 0 of 31 unused numbers."));
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 used up", "A 2 to 32 gap, 31 never used",
				"B 33 to 64 1 used, 31 left"));
		click(SECOND + ".release");
		await(() -> assertThat(text(SECOND + ".message")).startsWith("Returned 31 of 31 unused numbers."));
		assertQuietConsole();
	}

	@Test
	void waitsForSecondNodeAndSaysWhenItIsGone() {
		int port = freePort();
		look("http://localhost:" + port);
		String address = "http://localhost:" + port;
		await(() -> assertThat(text("#second-message"))
			.isEqualTo(address + " cannot be reached. Is a shop running there? This page keeps trying."));
		ConfigurableApplicationContext second = startSecond(port);
		await(() -> assertThat(text(SECOND + ".state")).isEqualTo("live"));
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1 to 32 1 used, 31 left"));
		second.close();
		await(() -> assertThat(text(SECOND + ".state"))
			.matches("\\Q" + address + "\\E cannot be reached since \\d\\d:\\d\\d"));
		await(() -> assertThat(cells(ORDERS)).as("the rest was returned").containsExactly("B 1 used up"));
		assertThat(this.browser.strings("""
				return [...document.querySelectorAll(arguments[0] + 'button:not(.leave, .stop, .kill)')]
					.filter((button) => !button.disabled).map((button) => button.textContent)""", SECOND)).isEmpty();
		assertThat(this.browser.run("return getComputedStyle(document.querySelector(arguments[0])).backgroundColor",
				SECOND + ".tag"))
			.as("grey")
			.isEqualTo("rgb(90, 94, 102)");
		startSecond(port);
		await(() -> assertThat(text(SECOND + ".state")).isEqualTo("live"));
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("B 1 used up", "B 2 to 33 1 used, 31 left"));
		click(SECOND + ".leave");
		await(() -> assertThat(this.browser.one(".second").isDisplayed()).isTrue());
	}

	@Test
	void keepsLookingAfterReload() {
		lookAtSecondNode();
		this.browser.run("location.reload()");
		await(() -> assertThat(this.browser.texts(SECOND + ".state")).containsExactly("live"));
	}

	@Test
	void saysWhatTheNodeRefused() {
		this.browser.run("document.querySelector('.create').dataset.count = '0.5'");
		click(FIRST + ".create");
		await(() -> assertThat(text(FIRST + ".message")).isEqualTo(
				withoutSlash(addressOf(this.shop)) + " refused (400): Failed to convert 'count' with value: '0.5'"));
	}

	@Test
	void refusesAddressThatIsNoOtherLocalShop() {
		String local = "Only shops on this computer can be looked at: http://localhost with a port.";
		String itself = addressOf(this.shop);
		Map.of("https://example.com", local, "http://example.com:80", local, "https://localhost:8081", local,
				"localhost:many", "“localhost:many” is no address. One looks like http://localhost:8081.", " ",
				"Enter an address such as http://localhost:8081.", itself.replace("localhost", "127.0.0.1"),
				"That is this process. The second one has another port.")
			.forEach((address, message) -> {
				look(address);
				await(() -> assertThat(text("#second-message")).isEqualTo(message));
			});
	}

	@Test
	void showsNamesAsTextWhateverTheyContain() {
		String name = "<img src=x onerror=\"document.title = 'executed'\"><b>&amp;";
		this.shop.getBean(HiLoIdGenerator.class).nextId(name);
		await(() -> assertThat(this.browser.texts(".sequence h3")).containsExactly("orders", name));
		assertThat(this.browser.all("#sequences img, #sequences b")).isEmpty();
		assertThat(this.browser.run("return document.title")).isEqualTo("HiLo ids, live");
		assertQuietConsole();
	}

	@Test
	void formatsLargeNumbers() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		IntStream.range(0, 2000).forEach((index) -> ids.nextId("orders"));
		await(() -> assertThat(text(ORDERS + ".counts")).startsWith("A: 2,000 ids, "));
		assertThat(cells(ORDERS)).anySatisfy((cell) -> assertThat(cell).matches("A \\d,\\d{3} to \\d,\\d{3} .*"));
	}

	@Test
	void showsNumbersThatNoDoubleHolds() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		ids.ensureAtLeast("orders", (1L << 53) + 1);
		ids.ensureAtLeast("invoices", (1L << 53) + 1);
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("1 to 9,007,199,254,740,993 other processes",
				"A 9,007,199,254,740,994 to 9,007,199,254,741,025 1 used, 31 left"));
		click(FIRST + ".invoice");
		click(FIRST + ".invoice");
		await(() -> assertThat(text(FIRST + ".message")).isEqualTo("Issued invoice 9007199254740995."));
		assertThat(this.browser.texts("#ids li")).contains("9007199254740995 invoice", "9007199254740994 invoice");
		assertFits();
		assertLabelsFit();
		assertQuietConsole();
	}

	@ParameterizedTest
	@ValueSource(strings = { "[9007199254740993, -9007199254740993, 9007199254740991, 1e300, 0.5, -1, 0]",
			"{\"9007199254740993\": \"9007199254740993\", \"a\\\"9007199254740993\": [\"\\\\\", 9007199254740993]}",
			"\"9007199254740993\"", "9007199254740993", "null" })
	void readsEveryDigitOfJson(String json) {
		assertThat(this.browser.run("""
				const { parse } = await import('/json.js');
				const told = JSON.stringify(parse(arguments[0]), (name, value) =>
						typeof value === 'bigint' ? `big ${value}` : value);
				return told.replace(/"big (-?\\d+)"/g, '$1');""", json))
			.isEqualTo(json.replace(", ", ",").replace(": ", ":").replace("1e300", "1e+300"));
	}

	@Test
	void labelsOfLongNumbersDoNotOverlap() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		lookAtSecondNode();
		HiLoIdGenerator others = this.shops.getFirst().getBean(HiLoIdGenerator.class);
		ids.ensureAtLeast("orders", 1_234_567);
		for (int range = 1; range <= 5; range++) {
			IntStream.range(0, 32 << range).forEach((index) -> ids.nextId("orders"));
			IntStream.range(0, 32 << range).forEach((index) -> others.nextId("orders"));
			int cells = range + 1;
			await(() -> assertThat(cells(ORDERS)).hasSizeGreaterThanOrEqualTo(cells));
			assertLabelsFit();
		}
	}

	@Test
	void countsRangesUsedUpBetweenTwoLooksAsTheNodesOwn() {
		create(FIRST, 1);
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left"));
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		IntStream.range(0, 5000).forEach((index) -> ids.nextId("orders"));
		await(() -> assertThat(text(ORDERS + ".counts")).contains("A: 5,001 ids"));
		assertThat(cells(ORDERS)).hasSizeGreaterThan(2).allMatch((cell) -> cell.startsWith("A "));
		this.browser.run("location.reload()");
		await(() -> assertThat(cells(ORDERS)).hasSizeGreaterThan(1).allMatch((cell) -> cell.startsWith("A ")));
	}

	@Test
	void saysWhoseTheRangesAreThatWereUsedUpBetweenTwoLooks() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		lookAtSecondNode();
		HiLoIdGenerator others = this.shops.getFirst().getBean(HiLoIdGenerator.class);
		lookAway();
		for (int index = 0; index < 5000; index++) {
			ids.nextId("orders");
			others.nextId("orders");
		}
		lookAgain();
		await(() -> assertThat(cells(ORDERS)).first().asString().matches("1 to .* A and B"));
		assertThat(cells(ORDERS)).noneMatch((cell) -> cell.contains("other"));
		this.browser.run("location.reload()");
		await(() -> assertThat(this.browser.texts(SECOND + ".state")).containsExactly("live"));
		await(() -> assertThat(cells(ORDERS)).first().asString().matches("1 to .* A and B"));
	}

	@Test
	void countsWhatWasReturnedBeforeThePageLooked() {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		ids.nextId("orders");
		ids.release();
		this.browser.run("location.reload()");
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 used up"));
		assertThat(text(ORDERS + ".counts")).isEqualTo("A: 1 id, 1 trip, 31 returned");
		assertThat(text(".held")).isEmpty();
	}

	@Test
	void showsRangesWithoutTheDatabase() {
		create(FIRST, 1);
		await(() -> assertThat(this.browser.texts("#ids li")).containsExactly("orders/1-A"));
		stopServer();
		await(() -> assertThat(text(FIRST + ".state")).matches("MongoDB refuses connections since \\d\\d:\\d\\d"));
		this.shop.getBean(HiLoIdGenerator.class).nextId("orders");
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 2 used, 30 left"));
		assertThat(this.browser.texts("#ids li")).containsExactly("orders/1-A");
		this.browser.run("location.reload()");
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 2 used, 30 left"));
	}

	@Test
	void outageIsOneStateOfAllProcessesAndEndsByItself() {
		startSecondByClick();
		click(FIRST + ".invoice");
		await(() -> assertThat(text(FIRST + ".message")).isEqualTo("Issued invoice 1."));
		InetSocketAddress address = stopServer();
		click(FIRST + ".invoice");
		await(() -> assertThat(text(FIRST + ".message")).matches("MongoDB (refuses connections|does not answer)\\."));
		await(() -> assertThat(this.browser.texts(".state")).hasSize(2)
			.allMatch((state) -> state.matches("MongoDB refuses connections since \\d\\d:\\d\\d")));
		await(() -> assertThat(text("#others .counter")).isEqualTo("MongoDBMax = 1 when last seen"));
		MongoServer again = new MongoServer(new MemoryBackend());
		again.bind(address);
		try {
			await(() -> assertThat(this.browser.texts(".state")).containsExactly("live", "live"));
			assertThat(text(FIRST + ".message")).as("what was wrong").isEmpty();
		}
		finally {
			again.shutdownNow();
		}
	}

	@Test
	void rangesThatCannotBeReturnedAreStillHeld() {
		create(FIRST, 1);
		stopServer();
		await(() -> assertThat(text(FIRST + ".state")).startsWith("MongoDB refuses connections since "));
		click(FIRST + ".release");
		await(() -> assertThat(text(FIRST + ".message")).isEqualTo(
				"Nothing was returned: MongoDB did not answer. 31 unused numbers are still held, for the next ids."));
		assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left");
		assertThat(this.shop.getBean(HiLoIdGenerator.class).nextId("orders")).isEqualTo(2);
	}

	@Test
	void everyNumberUpToTheCounterIsDrawnWhateverThePageHasSeen() {
		startSecondByClick();
		create(FIRST, 1);
		create(SECOND, 1);
		await(() -> assertThat(cells(ORDERS)).hasSize(2));
		click(SECOND + ".kill");
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left", "B 33 used up",
				"B 34 to 64 gap, 31 never used"));
		this.browser.run("location.reload()");
		await(() -> assertThat(cells(ORDERS)).containsExactly("A 1 to 32 1 used, 31 left", "33 to 64 other processes"));
		assertThat(text(ORDERS + ".counter")).isEqualTo("MongoDBMax = 64");
	}

	@Test
	void proposesTheCommandsAddressAfterTheSecondProcessHasEnded() {
		startSecondByClick();
		this.browser.run("location.reload()");
		await(() -> assertThat(this.browser.texts(SECOND + ".state")).containsExactly("live"));
		click(SECOND + ".stop");
		await(() -> assertThat(text("#second-message")).isEqualTo("B stopped. It held nothing."));
		assertThat(this.browser.run("return document.getElementById('address').value"))
			.isEqualTo("http://localhost:" + (portOf(this.shop) + 1));
	}

	@ParameterizedTest
	@CsvSource({ "390, 844", "1280, 800" })
	void lineIsOneRowAndNothingMovesUnderTheFinger(int width, int height) {
		this.browser.show(width, height);
		startSecondByClick();
		String controls = (width < 600) ? "#dock " : FIRST + ".controls ";
		List<String> before = places(controls + "button");
		assertThat(before).hasSize(6);
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		for (int round = 0; round < 3; round++) {
			click(controls + ".create");
			click(controls + ".invoice");
			click(controls + ".customer");
			IntStream.range(0, 500).forEach((index) -> ids.nextId("orders"));
			await(() -> assertThat(text(controls + ".message")).startsWith("Added customer "));
			assertThat(places(controls + "button")).isEqualTo(before);
			assertOneRow();
		}
		click(controls + ".release");
		await(() -> assertThat(text(controls + ".message")).startsWith("Returned "));
		assertThat(places(controls + "button")).isEqualTo(before);
	}

	@Test
	void newestIdsFollowTheLineOnPhoneAndNoTokenCrossesTheDock() {
		this.browser.show(390, 844);
		create("#dock ", 1);
		assertThat(this.browser.strings(
				"""
						const [line, ids] = ['#sequences', '#ids'].map((one) => document.querySelector(one).getBoundingClientRect());
						return [ids.top > line.bottom && ids.top - line.bottom < 80];"""))
			.containsExactly("true");
		assertThat(this.browser.strings("""
				const { left, top } = document.getElementById('dock').getBoundingClientRect();
				const token = document.createElement('span');
				token.className = 'tag token';
				token.style = `pointer-events: auto; position: fixed; width: 9rem; left: ${left}px; top: ${top + 5}px`;
				document.querySelector('.sequence').append(token);
				return [document.elementFromPoint(left + 15, top + 12).closest('#dock') !== null];"""))
			.as("it passes below")
			.containsExactly("true");
	}

	@Test
	void usedUpRangeLooksUnlikeUsedNumbers() {
		lookAtSecondNode();
		interleave();
		assertThat(this.browser.strings(
				"""
						return ['[data-kind="past"] i', '[data-kind="live"] .used']
							.map((part) => getComputedStyle(document.querySelector('.cell[data-slot="0"]' + part)).backgroundColor)"""))
			.doesNotHaveDuplicates();
	}

	@Test
	void showsLineAndButtonsTogetherOnPhone() {
		lookAtSecondNode();
		interleave();
		this.browser.show(390, 844);
		this.browser.run("document.querySelector(arguments[0]).scrollIntoView()", ORDERS);
		for (int slot = 0; slot < 2; slot++) {
			this.browser.run("document.querySelectorAll('#dock input')[arguments[0]].click()", slot);
			assertThat(this.browser.strings("""
					return ['.line', '#dock .create', '#dock .message'].filter((part) => {
						const { top, bottom } = document.querySelector(part).getBoundingClientRect();
						return top < 0 || bottom > innerHeight;
					})""")).as("out of sight").isEmpty();
			assertThat(this.browser.texts(".create")).as("of the chosen node alone").hasSize(3);
			click("#dock .create");
			String id = (slot == 0) ? "orders/66-A" : "orders/34-B";
			await(() -> assertThat(text("#dock .message")).isEqualTo("Created " + id + "."));
		}
		assertThat(this.browser.all("main > section#dock[aria-label]")).isNotEmpty();
		this.browser.show(1200, 900);
		await(() -> assertThat(this.browser.all(FIRST + ".create")).hasSize(3));
	}

	@Test
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
	void isReadableInBothSchemes(String scheme, String background) {
		this.browser.prefer(scheme);
		lookAtSecondNode();
		interleave();
		await(() -> assertThat(cells(ORDERS)).hasSize(3));
		assertThat(this.browser.run("return getComputedStyle(document.body).backgroundColor")).isEqualTo(background);
		assertThat(this.browser.strings(FAINT_TEXTS)).isEmpty();
		assertThat(this.browser.strings(FAINT_BARS)).as("used up, of either node").isEmpty();
		this.shops.getFirst().close();
		await(() -> assertThat(this.browser.all(".cell[data-stale='true']")).isNotEmpty());
		assertThat(this.browser.strings(FAINT_TEXTS)).isEmpty();
		assertThat(this.browser.strings(FAINT_BARS)).as("of a node that is not reached").isEmpty();
	}

	@Test
	void loadsNothingFromElsewhere() {
		assertThat(this.browser.strings("return performance.getEntriesByType('resource').map((entry) => entry.name)"))
			.isNotEmpty()
			.allMatch((address) -> address.startsWith(addressOf(this.shop)));
	}

	@Test
	@EnabledIfSystemProperty(named = PICTURE, matches = ".+")
	void takesPicture() throws IOException {
		HiLoIdGenerator ids = this.shop.getBean(HiLoIdGenerator.class);
		startSecondByClick();
		createSome(FIRST, 1);
		createSome(SECOND, 12);
		for (int range = 32; range <= 2048; range *= 2) {
			IntStream.range(0, range).forEach((index) -> ids.nextId("orders"));
			int reservations = Integer.numberOfTrailingZeros(range) - 3;
			await(() -> assertThat(text(ORDERS + ".counts")).contains(reservations + " trips"));
		}
		createSome(SECOND, 2);
		createSome(FIRST, 5);
		for (int invoice = 1; invoice <= 12; invoice++) {
			String message = "Issued invoice " + invoice + ".";
			click(FIRST + ".invoice");
			await(() -> assertThat(text(FIRST + ".message")).isEqualTo(message));
		}
		createSome(SECOND, 1);
		await(() -> assertThat(text("#ids .new:first-child")).isEqualTo("orders/47-B"));
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

	/** The page asks for nothing, so that what happens now it sees in one look. */
	private void lookAway() {
		this.browser.run("Object.defineProperty(document, 'hidden', { value: true, configurable: true })");
	}

	private void lookAgain() {
		this.browser.run("""
				Object.defineProperty(document, 'hidden', { value: false });
				document.dispatchEvent(new Event('visibilitychange'));""");
	}

	private void recordTokens() {
		this.browser
			.run("""
					window.tokens = [];
					new MutationObserver((changes) => changes.flatMap(({ addedNodes }) => [...addedNodes])
						.filter((node) => node.classList?.contains('token')).forEach((node) => tokens.push(node.textContent)))
						.observe(document.querySelector('main'), { childList: true, subtree: true });""");
	}

	private List<String> tokens() {
		return this.browser.strings("return window.tokens");
	}

	private void assertNoNumberIsShownTwice() {
		assertThat(this.browser.strings("""
				const cells = [...document.querySelectorAll(arguments[0])].map(({ dataset }) => dataset);
				return cells.filter(({ min }, index) => index > 0 && Number(min) <= Number(cells[index - 1].max))
					.map(({ min, max }) => `${min} to ${max}`)""", ORDERS + ".cell")).isEmpty();
	}

	private void startSecondByClick() {
		click(".start");
		await(() -> assertThat(this.browser.texts(SECOND + ".state")).containsExactly("live"));
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

	private void createSome(String node, int count) {
		for (int order = 0; order < count; order++) {
			create(node, 1);
		}
	}

	private void click(String selector) {
		this.browser.run("document.querySelector(arguments[0]).click()", selector);
	}

	private String text(String selector) {
		return String.join(" ", this.browser.texts(selector));
	}

	/** A line's bars in words, such as {@code B 33 to 64 1 used, 31 left}. */
	private List<String> cells(String sequence) {
		return this.browser.strings("""
				return [...document.querySelectorAll(arguments[0])].map((cell) =>
						[...cell.querySelectorAll('.tag, .numbers, .note')].map((part) => part.textContent)
							.filter((text) => text).join(' '))""", sequence + ".cell");
	}

	private void assertFits() {
		for (int width : new int[] { 320, 360, 768, 1200 }) {
			this.browser.show(width, 780);
			assertThat(this.browser.run("return document.documentElement.scrollWidth")).as("at a width of %d", width)
				.isEqualTo((long) width);
		}
	}

	/** Every label has to be within its own bar's width. */
	private void assertLabelsFit() {
		assertThat(this.browser.strings("""
				return [...document.querySelectorAll('.cell')].filter((cell) => {
					const { right } = cell.getBoundingClientRect();
					return [...cell.querySelectorAll('.numbers, .note')].some((label) => {
						const text = document.createRange();
						text.selectNodeContents(label);
						return text.getBoundingClientRect().right > right + 0.5;
					});
				}).map((cell) => cell.textContent);""")).isEmpty();
	}

	private void assertOneRow() {
		assertThat(this.browser.strings("""
				return [...document.querySelectorAll('.line')].filter((line) => {
					const box = line.getBoundingClientRect();
					const bars = [...line.querySelectorAll('.bar')].map((bar) => bar.getBoundingClientRect().top);
					const edges = [...line.children].map((one) => one.getBoundingClientRect());
					return new Set(bars).size !== 1 || Math.abs(edges.at(-1).right - box.right) > 1
						|| edges.some(({ left }, index) => index > 0 && left < edges[index - 1].right);
				}).map((line) => line.textContent);""")).isEmpty();
	}

	private List<String> places(String selector) {
		return this.browser.strings(
				"""
						return [...document.querySelectorAll(arguments[0])].map((one) => {
							const { x, y } = one.getBoundingClientRect();
							return `${one.textContent} ${Math.round(x)} ${Math.round(y + (one.closest('#dock') ? 0 : scrollY))}`;
						});""",
				selector);
	}

	private double widthOf(String bar) {
		return Double.parseDouble(this.browser.strings(
				"return [parseFloat(getComputedStyle(document.querySelector(arguments[0]), '::before').width)]", bar)
			.get(0));
	}

	private InetSocketAddress stopServer() {
		MongoServer server = this.shop.getBean(MongoServer.class);
		InetSocketAddress address = server.getLocalAddress();
		server.shutdownNow();
		return address;
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
