package io.github.hilo.data;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoNamingStrategy;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.DecoratedGenerator.Replacing;
import io.github.hilo.fixture.DecoratedGenerator;
import io.github.hilo.fixture.Documents.Label;
import io.github.hilo.fixture.Documents.TextRec;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.RecordedCommands;
import io.github.hilo.fixture.TestApplications.TestApplication;
import io.github.hilo.fixture.TestApplications;
import org.bson.BsonDocument;
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

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * No text that is stored is overwritten, wherever it lies above the counter, whatever it
 * looks like and however it came there, zeros in front or not: {@code save} of an entity
 * without a version replaces the document that has its id.
 */
class StoredTextTests {

	private static final String DIGITS = "12345678901234567890";

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	/**
	 * A text that an expression takes for one that is issued would cost a range; one that
	 * it does not find would be replaced.
	 */
	@ParameterizedTest
	@MethodSource("forms")
	void textOfExactlyTheFormThatIsIssuedIsNotReplaced(Form form) {
		this.database.collection("@hilo")
			.insertOne(new Document("_id", "Raven/ServerPrefixForHilo").append("ServerPrefix", form.prefix));
		this.database.setCounter(form.sequence, 32L);
		String another = form.id(40).replace('.', 'x');
		if (!another.equals(form.id(40))) {
			this.others.store("texts", another);
		}
		this.others.store("texts", form.id(70));
		TestApplications.run(
				this.database.contextRunner()
					.withBean(HiLoNamingStrategy.class, () -> (type, collection) -> form.sequence),
				(app) -> assertThat(save(app, 60)).startsWith(form.id(33)),
				"hilo.identity-parts-separator=" + form.separator, "hilo.server-prefix-document=true",
				"hilo.node-tag=" + form.tag);
		this.others.requireKept(60);
	}

	static Stream<Form> forms() {
		return Stream
			.of(Stream.of("", "A.1", "1-2", "2026", ".*+?", "($^|)", "[{2}", "\\E\\Q", DIGITS)
				.map((tag) -> new Form("texts", "/", "", tag)),
					Stream.of(".", "*", "+", "?", "(", ")", "$", "^", "\\", "[", "]", "{", "}", "-", "#", "~")
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
	@MethodSource
	void textOfAnotherFormTakesNoNumberOfARange(String tag, int digits, String id) {
		this.database.setCounter("texts", 32L);
		this.others.store("texts", "texts/" + id);
		this.applications.run((app) -> {
			assertThat(save(app, 69)).first().isEqualTo(new Form("texts", "/", "", tag).id(digits, 33));
			assertThat(app.generator().nextId("texts")).isEqualTo(102);
		}, "hilo.node-tag=" + tag, "hilo.digits=" + digits);
		this.others.requireKept(69);
	}

	static Stream<Arguments> textOfAnotherFormTakesNoNumberOfARange() {
		return Stream.of(Stream
			.of("4-A", "400-A", "040-A", "007-A", "40", "40-", "40-B", "40-AB", "40-a", "40-A-1", "40-11-23", "40-A\n",
					"4\u0660-A", "N/40-A", "2026-11-23", "40-A/lines/3", "40000000-89ab-4def-8123-456789abcdef")
			.map((id) -> arguments("A", 1, id)),
				Stream.of("40-A", "40-", "40\n", "400", "4", "40/lines/3").map((id) -> arguments("", 1, id)),
				Stream.of("40-A", "0000040-A", "000000040-A").map((id) -> arguments("A", 8, id)))
			.flatMap((forms) -> forms);
	}

	/**
	 * At the ends of a range, and at each border between lengths of numbers: small ranges
	 * begin before the border and end behind it, and the large one has them all.
	 */
	@ParameterizedTest
	@CsvSource({ "6, 7, 1, 8", "6, 9, 1, 8", "6, 10, 1, 8", "6, 14, 1, 8", "6, 15, 1, 8", "56, 99, 1, 8",
			"56, 100, 1, 8", "999956, 999999, 1, 8", "999956, 1000000, 1, 8", "96, 98, 2, 8", "96, 99, 2, 8",
			"96, 100, 2, 8", "96, 101, 2, 8", "9996, 9999, 4, 8", "9996, 10000, 4, 8", "32, 33, 8, 32", "32, 64, 8, 32",
			"0, 9, 1, 131072", "0, 10, 1, 131072", "0, 999, 1, 131072", "0, 1000, 1, 131072", "0, 99999, 1, 131072",
			"0, 100000, 1, 131072", "0, 131072, 1, 131072" })
	void textAtABorderIsNotReplaced(long max, long number, int digits, int size) {
		this.database.setCounter("texts", max);
		this.others.store("texts", id(number, digits));
		this.applications.run((app) -> {
			save(app, 60);
			this.others.requireKept(60);
			long excluded = (number - max - 1) % size + 1;
			assertThat(app.generator().nextId("texts")).as("numbers of its range up to it are excluded")
				.isEqualTo(max + excluded + 60 + 1);
		}, "hilo.range.initial-size=" + size, "hilo.range.max-size=" + size, "hilo.range.prefetch=false",
				"hilo.digits=" + digits);
	}

	@Test
	void consecutiveTextsPassOverWhatIsStoredAlone() {
		this.database.setCounter("texts", 0L);
		this.others.store("texts", "texts/40-A");
		this.applications.run((app) -> {
			assertThat(save(app, 42)).endsWith("texts/39-A", "texts/41-A", "texts/42-A", "texts/43-A");
			this.others.store("texts", "texts/46-A");
			// Otherwise the sequence sees the document up to a second late.
			app.generator().release();
			assertThat(app.generator().nextDocumentIds(TextRec.class, 5)).first().isEqualTo("texts/47-A");
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
		TestApplications.run(
				this.database.contextRunner()
					.withBean(BeanPostProcessor.class,
							() -> new Replacing((generator) -> new DecoratedGenerator(generator, (ids) -> ids))),
				(app) -> each(60, () -> app.template().save(new Label(null))));
		this.others.requireKept(60);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 8, 19 })
	void textsOfEveryLengthInOneCollectionAreNotReplaced(int digits) {
		this.database.setCounter("texts", 0L);
		for (int number : new int[] { 9, 10, 40, 41, 99, 100, 160, 170 }) {
			this.others.store("texts",
					IntStream.of(1, 2, 3, 4, 8, 9, 19, 20)
						.mapToObj((length) -> id(number, length))
						.distinct()
						.toArray());
		}
		this.applications.run((app) -> {
			assertThat(save(app, 200)).allMatch((id) -> id.matches("texts/[0-9]{" + digits + ",}-A"));
			assertThat(app.generator().nextDocumentIds(TextRec.class, 50)).doesNotHaveDuplicates();
		}, "hilo.digits=" + digits);
		this.others.requireKept(200);
	}

	@ParameterizedTest
	@CsvSource({ "7, 1", "6, 1", "5, 2", "1, 6" })
	void oneConditionFindsAllNumbersUpToSoManyDigits(int digits, int conditions) {
		RecordedCommands commands = new RecordedCommands();
		this.database.setCounter("texts", 0L);
		TestApplications.run(
				this.database.contextRunner()
					.withBean(MongoClientSettingsBuilderCustomizer.class,
							() -> (settings) -> settings.addCommandListener(commands)),
				(app) -> save(app, 1), "hilo.range.initial-size=131072", "hilo.digits=" + digits);
		BsonDocument filter = commands.ofKind("find").get(0).getDocument("filter");
		assertThat(filter.containsKey("$or") ? filter.getArray("$or").size() : 1).isEqualTo(conditions);
		if (digits == 7) {
			assertThat(filter).isEqualTo(
					BsonDocument.parse("{$and: [{_id: {$gte: 'texts/0000001', $lt: 'texts/0131072\udbff\udfff'}},"
							+ " {_id: {$regex: '^texts/[0-9]{7}-A\\\\z'}}]}"));
		}
	}

	@Test
	void textsOfASequenceWithSettingsOfItsOwnAreNotReplaced() {
		this.database.setCounter("REC", 0L);
		this.database.setCounter("receipts.code", 0L);
		this.others.store("receipts", new Document("_id", "REC-000040").append("code", "receipts.code~0070-7"));
		this.applications.run(
				(app) -> assertThat(Stream.generate(() -> app.template().save(new Receipt(null, null))).limit(90))
					.allMatch((receipt) -> Objects.requireNonNull(receipt.id()).matches("REC-[0-9]{6}")
							&& Objects.requireNonNull(receipt.code()).matches("receipts\\.code~[0-9]{4}-7"))
					.extracting(Receipt::code)
					.doesNotContain("receipts.code~0070-7"),
				"hilo.sequences.REC.digits=6", "hilo.sequences.REC.identity-parts-separator=-",
				"hilo.sequences.REC.node-tag=", "hilo.sequences[receipts.code].digits=4",
				"hilo.sequences[receipts.code].node-tag=7", "hilo.sequences[receipts.code].identity-parts-separator=~");
		this.others.requireKept(90);
	}

	@Test
	void paddedTextsSortAsTheirNumbersDo() {
		this.database.setCounter("texts", 8L);
		this.applications.run((app) -> assertThat(save(app, 110)).isEqualTo(this.database.ids("texts")),
				"hilo.digits=3");
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

	private static List<@Nullable String> save(TestApplication app, int count) {
		return each(count, () -> app.template().save(new TextRec(null, "new")).id());
	}

	private static <T extends @Nullable Object> List<T> each(int count, Supplier<T> call) {
		return Stream.generate(call).limit(count).toList();
	}

	private static String id(long number, int digits) {
		return "texts/" + ("%0" + digits + "d-A").formatted(number);
	}

	/**
	 * What the ids of a sequence look like.
	 */
	record Form(String sequence, String separator, String prefix, String tag) {

		String id(long number) {
			return id(1, number);
		}

		String id(int digits, long number) {
			return this.sequence + this.separator + this.prefix + ("%0" + digits + "d").formatted(number)
					+ (this.tag.isEmpty() ? "" : "-" + this.tag);
		}

	}

	@HiLo("REC")
	@org.springframework.data.mongodb.core.mapping.Document("receipts")
	record Receipt(@Nullable String id, @HiLo @Nullable String code) {
	}

	@org.springframework.data.mongodb.core.mapping.Document("references")
	record Reference(@Nullable ObjectId id, @HiLo @Nullable String code) {
	}

}
