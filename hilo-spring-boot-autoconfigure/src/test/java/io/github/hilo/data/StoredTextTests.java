package io.github.hilo.data;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.client.model.IndexOptions;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.github.hilo.HiLo;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.data.StoredDocumentTests.Decorator;
import io.github.hilo.data.StoredDocumentTests.Label;
import io.github.hilo.data.StoredDocumentTests.TextRec;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Callers;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.RecordedCommands;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.bson.types.Symbol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.util.function.ThrowingConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * No text that is stored is overwritten, wherever it lies above the counter, whatever it
 * looks like and however it came there: {@code save} of an entity without a version
 * replaces the document that has its id.
 */
class StoredTextTests {

	private static final String DIGITS = "12345678901234567890";

	private final ApplicationDatabase database = new ApplicationDatabase();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@AfterEach
	void dropDatabase() {
		MongoTestServer.client().getDatabase(this.database.name()).drop();
	}

	@ParameterizedTest
	@CsvSource({ "1, 32", "32, 32", "33, 32", "64, 32", "65, 32", "33, 64", "64, 64", "1000, 32", "1000, 1024",
			"100000, 32", "100000, 131072" })
	void textAboveTheCounterIsNotReplaced(int number, int rangeSize) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/" + number + "-A");
		run((context) -> {
			save(context, 1);
			skip(context, number - 20);
			save(context, 60);
			this.others.requireKept(61);
			assertThat(generator(context).nextId("texts")).isGreaterThan(number);
		}, "hilo.range.initial-size=" + rangeSize);
	}

	@Test
	void textThatAnotherClientStoresBeforeItsRangeIsReservedIsNotReplaced() {
		run((context) -> {
			save(context, 1);
			this.others.store("texts", "texts/40-A");
			save(context, 60);
			this.others.store("texts", "texts/5000-A");
			skip(context, 4_800);
			save(context, 300);
		});
		this.others.requireKept(361);
	}

	/**
	 * The reservation after the second release does not ask in the archive, which its
	 * range before was not used in.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "labels", "archive" })
	void textThatIsStoredAfterItsNumberWentBackIsNotReplaced(String collection) {
		run((context) -> {
			each(40, () -> template(context).save(new Label(null), collection));
			generator(context).release();
			template(context).save(new Label(null));
			generator(context).release();
			this.others.store(collection, "labels/45-A");
			template(context).save(new Label(null));
			each(30, () -> template(context).save(new Label(null), collection));
		});
		this.others.requireKept(72);
	}

	/**
	 * Where old documents are removed after some time, the numbers below those that are
	 * left are free.
	 */
	@ParameterizedTest
	@CsvSource({ "0, 0", "0, 50", "40, 0", "90, 0", "90, 40" })
	void counterThatWasLoweredWhileNothingRanReplacesNoText(int removed, long max) {
		run((context) -> save(context, 100));
		remove(1, removed);
		this.database.setCounterTo("texts", max);
		this.others.keepAll();
		run((context) -> save(context, 120));
		this.others.requireKept(120);
	}

	@Test
	void counterThatWasRestoredWithAPartOfTheDocumentsReplacesNoText() {
		run((context) -> save(context, 60));
		run((context) -> save(context, 100));
		remove(11, 100);
		this.database.setCounterTo("texts", 60L);
		this.others.keepAll();
		run((context) -> save(context, 100));
		this.others.requireKept(100);
	}

	/**
	 * No lower than the numbers of this process, which would raise it.
	 */
	@Test
	void counterThatAnotherProcessLowersReplacesNoText() {
		run((context) -> {
			save(context, 100);
			generator(context).release();
			run((other) -> {
				save(other, 200);
				this.database.setCounterTo("texts", 150L);
			});
			this.others.keepAll();
			save(context, 60);
		});
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@MethodSource("forms")
	void textOfTheFormThatIsIssuedIsNotReplaced(Form form) {
		this.database.setCounter(form.sequence, 0L);
		this.others.store("texts", form.id(40));
		run(form, (context) -> save(context, 60));
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@MethodSource("forms")
	void counterStartsAboveATextOfTheFormThatIsIssued(Form form) {
		this.others.store("texts", form.id(20));
		run(form, (context) -> assertThat(generator(context).nextDocumentId(TextRec.class)).isEqualTo(form.id(21)));
	}

	static Stream<Form> forms() {
		return Stream
			.of(Stream.of("", "A.1", "1-2", "2026", ".*+?", "($^|)", "[{2}", "\\E\\Q", DIGITS)
				.map((tag) -> new Form("texts", "/", "", tag)),
					Stream.of(".", "*", "(", "$", "^", "\\", "[", "-")
						.map((separator) -> new Form("texts", separator, "", "A")),
					Stream.of("North/", "No.1*/", "1-", "2026-11-", "($^|)", "\\E\\Q", DIGITS + "/")
						.map((prefix) -> new Form("texts", "/", prefix, "A")),
					Stream.of("or.ders(1)", "a*b+c?|[", "\\E\\Q", "texts/40-A", DIGITS)
						.map((sequence) -> new Form(sequence, "/", "", "A")),
					Stream.of(new Form("texts", "/", "abcdef", "1234-1234-1234-123456789012"),
							new Form("a.b", ".", "1-", "2-3"), new Form("1-2", "-", "3-", "")))
			.flatMap((forms) -> forms);
	}

	@Test
	void symbolIsAnIdAsATextIs() {
		assumeFalse(MongoTestServer.kind().equals("mongo-java-server"), "mongo-java-server knows no symbols");
		this.database.setCounter("texts", 0L);
		this.others.store("texts", new Symbol("texts/40-A"));
		run((context) -> save(context, 60));
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@MethodSource("otherForms")
	void textOfAnotherFormTakesNoNumberOfARange(String tag, String id) {
		this.database.setCounter("texts", 32L);
		this.others.store("texts", "texts/" + id);
		run((context) -> assertThat(save(context, 70))
			.isEqualTo(IntStream.rangeClosed(33, 102).mapToObj(new Form("texts", "/", "", tag)::id).toList()),
				"hilo.node-tag=" + tag);
		this.others.requireKept(70);
	}

	@ParameterizedTest
	@CsvSource({ "2026-11-23, 2027", "12-A/lines/3, 13", "007-A, 8", "3f2504e0-4f89-11d3-9a0c-0305e82c3301, 1" })
	void counterStartsAboveWhatMayBeANumberOfTheApplicationsOwnIds(String id, long first) {
		this.others.store("texts", "texts/" + id);
		run((context) -> assertThat(save(context, 40)).startsWith("texts/" + first + "-A"));
		this.others.requireKept(40);
	}

	static Stream<Arguments> otherForms() {
		return Stream.concat(Stream
			.of("4-A", "400-A", "040-A", "007-A", "40", "40-", "40-B", "40-AB", "40-a", "40-A-1", "40-11-23", "40-A\n",
					"4\u0660-A", "N/40-A", "2026-11-23", "40-A/lines/3", "40000000-89ab-4def-8123-456789abcdef")
			.map((id) -> arguments("A", id)),
				Stream.of("40-A", "40-", "40\n", "400", "4", "40/lines/3").map((id) -> arguments("", id)));
	}

	/**
	 * Of the ranges of eight numbers, one begins before the border and ends behind it.
	 */
	@ParameterizedTest
	@CsvSource({ "6, 9", "6, 10", "6, 11", "56, 97", "56, 99", "56, 100", "56, 101", "56, 104", "999956, 999999",
			"999956, 1000000", "999956, 1000001" })
	void textAtABorderBetweenLengthsOfNumbersIsNotReplaced(long max, long number) {
		this.database.setCounter("texts", max);
		this.others.store("texts", "texts/" + number + "-A");
		run((context) -> {
			save(context, 60);
			this.others.requireKept(60);
			assertThat(generator(context).nextId("texts")).as("after one range that was discarded")
				.isEqualTo(max + 60 + 8 + 1);
		}, "hilo.range.initial-size=8", "hilo.range.max-size=8", "hilo.range.prefetch=false");
	}

	@ParameterizedTest
	@ValueSource(ints = { 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, 99_999, 100_000, 131_072 })
	void textInARangeWithNumbersOfManyLengthsIsNotReplaced(int number) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/" + number + "-A");
		run((context) -> {
			save(context, 1);
			skip(context, number - 5);
			save(context, 8);
		}, "hilo.range.initial-size=131072");
		this.others.requireKept(9);
	}

	@Test
	void textsAndNumbersOfOneSequenceReplaceNothing() {
		this.database.setCounter("shared", 0L);
		this.others.store("sharedtexts", "shared/40-A", "shared/41-A");
		this.others.store("sharednumbers", 250L, 251L);
		run((context) -> each(200, () -> {
			template(context).save(new SharedText(null));
			return template(context).save(new SharedNumber(null));
		}));
		this.others.requireKept(400);
	}

	@ParameterizedTest
	@MethodSource
	void textIsNotReplacedWhateverAsksForIt(BiConsumer<ApplicationContext, Integer> way) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/60-A");
		run((context) -> {
			save(context, 20);
			way.accept(context, 100);
		});
		this.others.requireKept(120);
	}

	static Stream<Arguments> textIsNotReplacedWhateverAsksForIt() {
		return Stream.of(way("save", StoredTextTests::save),
				way("insert", (context, count) -> each(count, () -> template(context).insert(newText()))),
				way("insertAll",
						(context, count) -> template(context).insertAll(each(count, StoredTextTests::newText))),
				ids("nextDocumentId", (ids, count) -> each(count, () -> ids.nextDocumentId(TextRec.class))),
				ids("nextDocumentIdFor", (ids, count) -> each(count, () -> ids.nextDocumentIdFor(newText()))),
				ids("nextDocumentIds", (ids, count) -> ids.nextDocumentIds(TextRec.class, count)),
				ids("a handle", (ids, count) -> each(count, ids.sequence(TextRec.class)::nextDocumentId)),
				ids("a block of a handle", (ids, count) -> ids.sequence(TextRec.class).nextDocumentIds(count)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "hilo.warm-up=texts", "hilo.sequences.texts.consecutive=true", "hilo.range.prefetch=false",
			"hilo.range.max-growth=1024", "hilo.initial-value=5" })
	void textIsNotReplacedWhateverTheSettings(String property) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/60-A", "texts/150-A");
		run((context) -> save(context, 200), property, "hilo.range.initial-size=64");
		this.others.requireKept(200);
	}

	@Test
	void consecutiveTextsPassOverWhatIsStoredAlone() {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/40-A");
		run((context) -> {
			assertThat(save(context, 42)).endsWith("texts/39-A", "texts/41-A", "texts/42-A", "texts/43-A");
			this.others.store("texts", "texts/46-A");
			assertThat(generator(context).nextDocumentIds(TextRec.class, 5)).first().isEqualTo("texts/49-A");
		}, "hilo.sequences.texts.consecutive=true");
		this.others.requireKept(42);
	}

	@Test
	void textsOfADecoratedGeneratorReplaceNothing() {
		this.database.setCounter("labels", 0L);
		this.others.store("labels", "labels/40-A");
		this.others.store("archive", "labels/130-A");
		run(this.database.contextRunner().withBean(Decorator.class), (context) -> {
			each(60, () -> template(context).save(new Label(null)));
			each(120, () -> template(context).save(new Label(null), "archive"));
		});
		this.others.requireKept(180);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 33, 40 })
	void textOfAPlaceThatBecomesKnownLateIsNotReplaced(int number) {
		this.others.store("archive", "or.ders(1)/" + number + "-A");
		run((context) -> {
			template(context).save(new Odd(null));
			each(60, () -> template(context).save(new Odd(null), "archive"));
		});
		this.others.requireKept(61);
	}

	@Test
	void textsOfPlacesThatBecomeKnownAtTheSameTimeAreNotReplaced() {
		IntStream.rangeClosed(2, 80).forEach((i) -> this.others.store("caller-" + i % 4, "labels/" + i + "-A"));
		run((context) -> {
			template(context).save(new Label(null));
			Callers
				.start(4,
						() -> each(60, () -> template(context).save(new Label(null), Thread.currentThread().getName())))
				.answers();
		});
		this.others.requireKept(241);
	}

	/**
	 * The reservation has asked in the places that it knew.
	 */
	@Test
	void textOfAPlaceThatBecomesKnownWhileAReservationIsInFlightIsNotReplaced() {
		Gate gate = new Gate();
		this.others.store("archive", "labels/33-A", "labels/34-A", "labels/40-A");
		run(withListener(gate), (context) -> {
			each(32, () -> template(context).save(new Label(null)));
			gate.closed = true;
			Callers<Label> first = Callers.start(1, () -> template(context).save(new Label(null)));
			gate.reached.orTimeout(30, TimeUnit.SECONDS).join();
			Callers<Label> late = Callers.start(1, () -> template(context).save(new Label(null), "archive"));
			late.awaitWaiting();
			gate.opened.complete(null);
			first.answers();
			late.answers();
			each(40, () -> template(context).save(new Label(null), "archive"));
		}, "hilo.range.prefetch=false");
		this.others.requireKept(74);
	}

	/**
	 * Each place has the number that comes next. No range that is held was checked in
	 * those that are saved to again.
	 */
	@Test
	void textsOfManyPlacesOfOneSequenceAreNotReplaced() {
		run((context) -> {
			long next = 1;
			for (int i = 0; i < 240; i++) {
				String collection = "archive-" + i % 200;
				this.others.store(collection, "labels/" + next + "-A");
				String id = Objects.requireNonNull(template(context).save(new Label(null), collection).id());
				next = Long.parseLong(id, "labels/".length(), id.length() - 2, 10) + 1;
			}
			assertThat(next).as("every other number is stored").isGreaterThan(480);
		}, "hilo.range.max-size=32");
		this.others.requireKept(240);
	}

	@Test
	void textOfAPropertyIsIssuedToNoSecondDocument() {
		this.database.setCounter("references.code", 0L);
		this.database.collection("references").createIndex(new Document("code", 1), new IndexOptions().unique(true));
		this.others.store("references", new Document("code", "references.code/40-A"));
		run((context) -> each(60, () -> template(context).save(new Reference(null, null))));
		this.others.requireKept(60);
	}

	@Test
	void arrayOfTextsInAPropertyCountsNowhere() {
		this.database.setCounter("references.code", 0L);
		this.others.store("references", new Document("code", List.of("references.code/40-A")));
		run((context) -> assertThat(each(60, () -> template(context).save(new Reference(null, null)))).last()
			.extracting(Reference::code)
			.isEqualTo("references.code/60-A"));
		this.others.requireKept(60);
	}

	@Test
	void whereTheSwitchIsOffNothingIsAskedForTexts() {
		RecordedCommands commands = new RecordedCommands();
		this.database.setCounter("labels", 0L);
		run(withListener(commands), (context) -> {
			each(60, () -> template(context).save(new Label(null)));
			template(context).save(new Label(null), "archive");
			generator(context).nextDocumentIds(Label.class, 100);
			assertThat(commands.ofKind("reserve")).hasSizeGreaterThan(2);
			assertThat(commands.ofKind("find")).isEmpty();
		}, "hilo.check-stored-ids=false");
	}

	private void run(ThrowingConsumer<ApplicationContext> test, String... properties) {
		run(this.database.contextRunner(), test, properties);
	}

	private void run(Form form, ThrowingConsumer<ApplicationContext> test) {
		this.database.collection("@hilo")
			.insertOne(new Document("_id", "Raven/ServerPrefixForHilo").append("ServerPrefix", form.prefix));
		run(this.database.contextRunner().withBean(HiLoNamingStrategy.class, () -> (type, collection) -> form.sequence),
				test, "hilo.identity-parts-separator=" + form.separator, "hilo.server-prefix-document=true",
				"hilo.node-tag=" + form.tag);
	}

	private static void run(ApplicationContextRunner runner, ThrowingConsumer<ApplicationContext> test,
			String... properties) {
		runner.withPropertyValues(properties).withPropertyValues("hilo.timeout=1m").run((context) -> {
			assertThat(context).hasNotFailed();
			test.accept(context);
		});
	}

	private ApplicationContextRunner withListener(CommandListener listener) {
		return this.database.contextRunner()
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings.addCommandListener(listener));
	}

	private static HiLoIdGenerator generator(ApplicationContext context) {
		return context.getBean(HiLoIdGenerator.class);
	}

	private static MongoTemplate template(ApplicationContext context) {
		return context.getBean(MongoTemplate.class);
	}

	private static TextRec newText() {
		return new TextRec(null, "new");
	}

	private static List<@Nullable String> save(ApplicationContext context, int count) {
		return each(count, () -> template(context).save(newText()).id());
	}

	private static <T extends @Nullable Object> List<T> each(int count, Supplier<T> call) {
		return Stream.generate(call).limit(count).toList();
	}

	/**
	 * Takes numbers that nothing is saved with.
	 */
	private static void skip(ApplicationContext context, int count) {
		if (count > 0) {
			generator(context).nextIds("texts", count);
		}
	}

	private void remove(int from, int to) {
		IntStream.rangeClosed(from, to)
			.forEach((i) -> this.database.collection("texts").deleteOne(new Document("_id", "texts/" + i + "-A")));
	}

	private static Arguments way(String name, BiConsumer<ApplicationContext, Integer> way) {
		return argumentSet(name, way);
	}

	private static Arguments ids(String name, BiFunction<HiLoIdGenerator, Integer, List<String>> ids) {
		return way(name, (context, count) -> ids.apply(generator(context), count)
			.forEach((id) -> template(context).save(new TextRec(id, "new"))));
	}

	/**
	 * What the ids of a sequence look like.
	 */
	record Form(String sequence, String separator, String prefix, String tag) {

		String id(long number) {
			return this.sequence + this.separator + this.prefix + number + (this.tag.isEmpty() ? "" : "-" + this.tag);
		}

	}

	/**
	 * Holds reservations up.
	 */
	private static final class Gate implements CommandListener {

		private final CompletableFuture<Void> reached = new CompletableFuture<>();

		private final CompletableFuture<Void> opened = new CompletableFuture<>();

		private volatile boolean closed;

		@Override
		public void commandStarted(CommandStartedEvent event) {
			if (this.closed && RecordedCommands.kind(event.getCommand()).equals("reserve")) {
				this.reached.complete(null);
				this.opened.orTimeout(30, TimeUnit.SECONDS).join();
			}
		}

	}

	@HiLo("or.ders(1)")
	@org.springframework.data.mongodb.core.mapping.Document("odds")
	record Odd(@Nullable String id) {
	}

	@HiLo("shared")
	@org.springframework.data.mongodb.core.mapping.Document("sharedtexts")
	record SharedText(@Nullable String id) {
	}

	@HiLo("shared")
	@org.springframework.data.mongodb.core.mapping.Document("sharednumbers")
	record SharedNumber(@Nullable Long id) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("references")
	record Reference(@Nullable ObjectId id, @HiLo @Nullable String code) {
	}

}
