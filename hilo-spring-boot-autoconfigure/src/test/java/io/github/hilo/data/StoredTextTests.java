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
import io.github.hilo.fixture.TestApplications;
import io.github.hilo.fixture.TestApplications.TestApplication;
import org.assertj.core.api.ThrowingConsumer;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.bson.types.Symbol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;

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

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	/**
	 * Numbers above, below and in the first range, at its ends, and at each border
	 * between lengths of numbers.
	 */
	@ParameterizedTest
	@CsvSource({ "1, 0, 32, 1", "32, 0, 32, 1", "33, 0, 32, 1", "64, 0, 32, 1", "65, 0, 32, 1", "33, 0, 64, 1",
			"64, 0, 64, 1", "1000, 0, 32, 1", "1000, 0, 1024, 1", "100000, 0, 32, 1", "9, 0, 131072, 1",
			"10, 0, 131072, 1", "99, 0, 131072, 1", "100, 0, 131072, 1", "999, 0, 131072, 1", "1000, 0, 131072, 1",
			"9999, 0, 131072, 1", "10000, 0, 131072, 1", "99999, 0, 131072, 1", "100000, 0, 131072, 1",
			"131072, 0, 131072, 1", "1, 32, 32, 8", "31, 32, 32, 8", "32, 32, 32, 8", "33, 32, 32, 8", "40, 32, 32, 8",
			"64, 32, 32, 8", "65, 32, 32, 8", "99, 32, 32, 8", "100, 32, 32, 8", "101, 32, 32, 8", "5000, 32, 32, 8" })
	void textAboveTheCounterIsNotReplaced(int number, long max, int rangeSize, int digits) {
		this.database.setCounter("texts", max);
		this.others.store("texts", id(number, digits));
		this.applications.run((app) -> {
			save(app, 1);
			skip(app, number - max - 20);
			save(app, 60);
			this.others.requireKept(61);
			assertThat(app.generator().nextId("texts")).isGreaterThan(number);
		}, "hilo.range.initial-size=" + rangeSize, "hilo.digits=" + digits);
	}

	@Test
	void textThatAnotherClientStoresBeforeItsRangeIsReservedIsNotReplaced() {
		this.applications.run((app) -> {
			save(app, 1);
			this.others.store("texts", "texts/40-A");
			save(app, 60);
			this.others.store("texts", "texts/5000-A");
			skip(app, 4_800);
			save(app, 300);
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
		this.applications.run((app) -> {
			each(40, () -> app.template().save(new Label(null), collection));
			app.generator().release();
			app.template().save(new Label(null));
			app.generator().release();
			this.others.store(collection, "labels/45-A");
			app.template().save(new Label(null));
			each(30, () -> app.template().save(new Label(null), collection));
		});
		this.others.requireKept(72);
	}

	/**
	 * Where old documents are removed after some time, the numbers below those that are
	 * left are free.
	 */
	@ParameterizedTest
	@CsvSource({ "1, 0, 0", "1, 0, 50", "1, 40, 0", "1, 90, 0", "1, 90, 40", "11, 100, 60" })
	void counterThatWasLoweredOrRestoredWhileNothingRanReplacesNoText(int from, int to, long max) {
		this.applications.run((app) -> save(app, 160));
		IntStream.rangeClosed(from, to)
			.forEach((i) -> this.database.collection("texts").deleteOne(new Document("_id", id(i, 1))));
		this.database.setCounterTo("texts", max);
		this.others.keepAll();
		this.applications.run((app) -> save(app, 120));
		this.others.requireKept(120);
	}

	/**
	 * No lower than the numbers of this process, which would raise it.
	 */
	@Test
	void counterThatAnotherProcessLowersReplacesNoText() {
		this.applications.run((app) -> {
			save(app, 100);
			app.generator().release();
			this.applications.run((other) -> {
				save(other, 200);
				this.database.setCounterTo("texts", 150L);
			});
			this.others.keepAll();
			save(app, 60);
		});
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@MethodSource("forms")
	void textOfTheFormThatIsIssuedIsNotReplaced(Form form) {
		this.database.setCounter(form.sequence, 0L);
		this.others.store("texts", form.id(40));
		run(form, (app) -> save(app, 60));
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@MethodSource("forms")
	void counterStartsAboveATextOfTheFormThatIsIssued(Form form) {
		this.others.store("texts", form.id(20));
		run(form, (app) -> assertThat(app.generator().nextDocumentId(TextRec.class)).isEqualTo(form.id(21)));
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
		this.applications.run((app) -> save(app, 60));
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@MethodSource("otherForms")
	void textOfAnotherFormTakesNoNumberOfARange(String tag, String id) {
		this.database.setCounter("texts", 32L);
		this.others.store("texts", "texts/" + id);
		this.applications.run(
				(app) -> assertThat(save(app, 70))
					.isEqualTo(IntStream.rangeClosed(33, 102).mapToObj(new Form("texts", "/", "", tag)::id).toList()),
				"hilo.node-tag=" + tag);
		this.others.requireKept(70);
	}

	@ParameterizedTest
	@CsvSource({ "2026-11-23, 2027", "12-A/lines/3, 13", "007-A, 8", "3f2504e0-4f89-11d3-9a0c-0305e82c3301, 1" })
	void counterStartsAboveWhatMayBeANumberOfTheApplicationsOwnIds(String id, long first) {
		this.others.store("texts", "texts/" + id);
		this.applications.run((app) -> assertThat(save(app, 40)).startsWith("texts/" + first + "-A"));
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
	@CsvSource({ "6, 9, 1", "6, 10, 1", "6, 11, 1", "56, 97, 1", "56, 99, 1", "56, 100, 1", "56, 101, 1", "56, 104, 1",
			"999956, 999999, 1", "999956, 1000000, 1", "999956, 1000001, 1", "96, 98, 2", "96, 99, 2", "96, 100, 2",
			"96, 101, 2", "9996, 9998, 4", "9996, 9999, 4", "9996, 10000, 4", "9996, 10003, 4" })
	void textAtABorderBetweenLengthsOfNumbersIsNotReplaced(long max, long number, int digits) {
		this.database.setCounter("texts", max);
		this.others.store("texts", id(number, digits));
		this.applications.run((app) -> {
			save(app, 60);
			this.others.requireKept(60);
			assertThat(app.generator().nextId("texts")).as("after one range that was discarded")
				.isEqualTo(max + 60 + 8 + 1);
		}, "hilo.range.initial-size=8", "hilo.range.max-size=8", "hilo.range.prefetch=false", "hilo.digits=" + digits);
	}

	@Test
	void textsAndNumbersOfOneSequenceReplaceNothing() {
		this.database.setCounter("shared", 0L);
		this.others.store("sharedtexts", "shared/40-A", "shared/41-A");
		this.others.store("sharednumbers", 250L, 251L);
		this.applications.run((app) -> each(200, () -> {
			app.template().save(new SharedText(null));
			return app.template().save(new SharedNumber(null));
		}));
		this.others.requireKept(400);
	}

	@ParameterizedTest
	@MethodSource
	void textIsNotReplacedWhateverAsksForIt(BiConsumer<TestApplication, Integer> way) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/60-A");
		this.applications.run((app) -> {
			save(app, 20);
			way.accept(app, 100);
		});
		this.others.requireKept(120);
	}

	static Stream<Arguments> textIsNotReplacedWhateverAsksForIt() {
		return Stream.of(way("save", StoredTextTests::save),
				way("insert", (app, count) -> each(count, () -> app.template().insert(newText()))),
				way("insertAll", (app, count) -> app.template().insertAll(each(count, StoredTextTests::newText))),
				ids("nextDocumentId", (ids, count) -> each(count, () -> ids.nextDocumentId(TextRec.class))),
				ids("nextDocumentIdFor", (ids, count) -> each(count, () -> ids.nextDocumentIdFor(newText()))),
				ids("nextDocumentIds", (ids, count) -> ids.nextDocumentIds(TextRec.class, count)),
				ids("a handle", (ids, count) -> each(count, ids.sequence(TextRec.class)::nextDocumentId)),
				ids("a block of a handle", (ids, count) -> ids.sequence(TextRec.class).nextDocumentIds(count)));
	}

	@ParameterizedTest
	@ValueSource(ints = { 32, 33, 65, 150 })
	void textIsNotReplacedByAReactiveSaveOrBlock(int number) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", id(number, 1));
		this.applications.runReactive((app) -> {
			Flux.range(0, 20).flatMap((i) -> app.reactiveTemplate().save(newText()), 8).blockLast();
			Flux.concat(app.reactiveGenerator().nextDocumentIds(TextRec.class, 60).flatMapIterable((block) -> block),
					app.reactiveGenerator().nextDocumentId(TextRec.class).repeat(99))
				.concatMap((id) -> app.reactiveTemplate().save(new TextRec(id, "new")))
				.blockLast();
		});
		this.others.requireKept(180);
	}

	@ParameterizedTest
	@ValueSource(strings = { "hilo.warm-up=texts", "hilo.sequences.texts.consecutive=true", "hilo.range.prefetch=false",
			"hilo.range.max-growth=1024", "hilo.initial-value=5" })
	void textIsNotReplacedWhateverTheSettings(String property) {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/60-A", "texts/150-A");
		this.applications.run((app) -> save(app, 200), property, "hilo.range.initial-size=64");
		this.others.requireKept(200);
	}

	@Test
	void consecutiveTextsPassOverWhatIsStoredAlone() {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/40-A");
		this.applications.run((app) -> {
			assertThat(save(app, 42)).endsWith("texts/39-A", "texts/41-A", "texts/42-A", "texts/43-A");
			this.others.store("texts", "texts/46-A");
			assertThat(app.generator().nextDocumentIds(TextRec.class, 5)).first().isEqualTo("texts/49-A");
		}, "hilo.sequences.texts.consecutive=true");
		this.others.requireKept(42);
	}

	/**
	 * It gets its numbers without a place: they are checked where metadata says.
	 */
	@Test
	void textsOfADecoratedGeneratorReplaceNothing() {
		this.database.setCounter("labels", 0L);
		this.others.store("labels", "labels/40-A");
		TestApplications.run(this.database.contextRunner().withBean(Decorator.class), (app) -> {
			each(60, () -> app.template().save(new Label(null)));
		});
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@CsvSource({ "2-A", "3-A", "33-A", "40-A", "700-A", "7-20" })
	void textOfAPlaceThatBecomesKnownLateIsNotReplaced(String numberAndTag) {
		int number = Integer.parseInt(numberAndTag.split("-", 2)[0]);
		this.others.store("archive", "or.ders(1)/" + numberAndTag);
		this.applications.run((app) -> {
			app.template().save(new Odd(null));
			each(number + 30, () -> app.template().save(new Odd(null), "archive"));
		}, "hilo.node-tag=" + numberAndTag.split("-", 2)[1]);
		this.others.requireKept(number + 31);
	}

	@Test
	void textsOfPlacesThatBecomeKnownAtTheSameTimeAreNotReplaced() {
		IntStream.rangeClosed(2, 80).forEach((i) -> this.others.store("caller-" + i % 4, "labels/" + i + "-A"));
		this.applications.run((app) -> {
			app.template().save(new Label(null));
			Callers
				.start(4, () -> each(60, () -> app.template().save(new Label(null), Thread.currentThread().getName())))
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
		TestApplications.run(this.database.contextRunner()
			.withBean(MongoClientSettingsBuilderCustomizer.class,
					() -> (settings) -> settings.addCommandListener(gate)),
				(app) -> {
					each(32, () -> app.template().save(new Label(null)));
					gate.closed = true;
					Callers<Label> first = Callers.start(1, () -> app.template().save(new Label(null)));
					gate.reached.orTimeout(30, TimeUnit.SECONDS).join();
					Callers<Label> late = Callers.start(1, () -> app.template().save(new Label(null), "archive"));
					late.awaitWaiting();
					gate.opened.complete(null);
					first.answers();
					late.answers();
					each(40, () -> app.template().save(new Label(null), "archive"));
				}, "hilo.range.prefetch=false");
		this.others.requireKept(74);
	}

	/**
	 * Each place has the number that comes next. No range that is held was checked in
	 * those that are saved to again.
	 */
	@Test
	void textsOfManyPlacesOfOneSequenceAreNotReplaced() {
		this.applications.run((app) -> {
			long next = 1;
			for (int i = 0; i < 240; i++) {
				String collection = "archive-" + i % 200;
				this.others.store(collection, "labels/" + next + "-A");
				String id = Objects.requireNonNull(app.template().save(new Label(null), collection).id());
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
		this.applications.run((app) -> each(60, () -> app.template().save(new Reference(null, null))));
		this.others.requireKept(60);
	}

	@Test
	void arrayOfTextsInAPropertyCountsNowhere() {
		this.database.setCounter("references.code", 0L);
		this.others.store("references", new Document("code", List.of("references.code/40-A")));
		this.applications.run((app) -> assertThat(each(60, () -> app.template().save(new Reference(null, null)))).last()
			.extracting(Reference::code)
			.isEqualTo("references.code/60-A"));
		this.others.requireKept(60);
	}

	private void run(Form form, ThrowingConsumer<TestApplication> test) {
		this.database.collection("@hilo")
			.insertOne(new Document("_id", "Raven/ServerPrefixForHilo").append("ServerPrefix", form.prefix));
		TestApplications.run(
				this.database.contextRunner()
					.withBean(HiLoNamingStrategy.class, () -> (type, collection) -> form.sequence),
				test, "hilo.identity-parts-separator=" + form.separator, "hilo.server-prefix-document=true",
				"hilo.node-tag=" + form.tag);
	}

	private static TextRec newText() {
		return new TextRec(null, "new");
	}

	static List<@Nullable String> save(TestApplication app, int count) {
		return each(count, () -> app.template().save(newText()).id());
	}

	private static <T extends @Nullable Object> List<T> each(int count, Supplier<T> call) {
		return Stream.generate(call).limit(count).toList();
	}

	/**
	 * Takes numbers that nothing is saved with.
	 */
	private static void skip(TestApplication app, long count) {
		if (count > 0) {
			app.generator().nextIds("texts", Math.toIntExact(count));
		}
	}

	static String id(long number, int digits) {
		return "texts/" + ("%0" + digits + "d-A").formatted(number);
	}

	private static Arguments way(String name, BiConsumer<TestApplication, Integer> way) {
		return argumentSet(name, way);
	}

	private static Arguments ids(String name, BiFunction<HiLoIdGenerator, Integer, List<String>> ids) {
		return way(name, (app, count) -> ids.apply(app.generator(), count)
			.forEach((id) -> app.template().save(new TextRec(id, "new"))));
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
