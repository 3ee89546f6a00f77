package io.github.hilo.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.hilo.HiLo;
import io.github.hilo.data.StoredDocumentTests.TextRec;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.KeptDocuments;
import io.github.hilo.fixture.RecordedCommands;
import io.github.hilo.fixture.TestApplications;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.mongodb.core.query.Query;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Texts whose numbers have zeros in front: they sort as their numbers do, and no stored
 * one is replaced, of whatever length its number is.
 */
class PaddedTextTests {

	@RegisterExtension
	private final TestApplications applications = new TestApplications();

	private final ApplicationDatabase database = this.applications.database();

	private final KeptDocuments others = new KeptDocuments(this.database);

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 8, 19 })
	void textsOfEveryLengthInOneCollectionAreNotReplaced(int digits) {
		this.database.setCounter("texts", 0L);
		for (int number : new int[] { 9, 10, 40, 41, 99, 100, 160, 170 }) {
			this.others.store("texts",
					IntStream.of(1, 2, 3, 4, 8, 9, 19, 20)
						.mapToObj((length) -> StoredTextTests.id(number, length))
						.distinct()
						.toArray());
		}
		this.applications.run((app) -> {
			assertThat(StoredTextTests.save(app, 200)).allMatch((id) -> id.matches("texts/[0-9]{" + digits + ",}-A"));
			assertThat(app.generator().nextDocumentIds(TextRec.class, 50)).doesNotHaveDuplicates();
		}, "hilo.digits=" + digits);
		this.others.requireKept(200);
	}

	@Test
	void textOfAnotherNumberOfDigitsTakesNoNumber() {
		this.database.setCounter("texts", 32L);
		this.others.store("texts", "texts/40-A", "texts/0000040-A", "texts/000000040-A");
		this.applications.run(
				(app) -> assertThat(StoredTextTests.save(app, 70))
					.isEqualTo(IntStream.rangeClosed(33, 102).mapToObj(PaddedTextTests::padded).toList()),
				"hilo.digits=8");
		this.others.requireKept(70);
	}

	@ParameterizedTest
	@CsvSource({ "8, texts/00000071-A", "1, texts/71-A" })
	void counterStartsAboveTextsOfEveryLength(int digits, String first) {
		this.others.store("texts", "texts/50-A", padded(70));
		this.applications.run((app) -> assertThat(StoredTextTests.save(app, 40)).startsWith(first),
				"hilo.digits=" + digits);
		this.others.store("texts", "texts/700-A");
		this.database.collection("@hilo").drop();
		this.applications.run((app) -> assertThat(app.generator().nextId("texts")).isEqualTo(701),
				"hilo.digits=" + digits);
		this.others.requireKept(40);
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
				(app) -> StoredTextTests.save(app, 1), "hilo.range.initial-size=131072", "hilo.digits=" + digits);
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

	/**
	 * A text that an expression takes for one that is issued would cost a range; one that
	 * it does not find would be replaced.
	 */
	@ParameterizedTest
	@ValueSource(strings = { ".", "$", "^", "*", "+", "?", "(", ")", "[", "]", "{", "}", "\\", "-", "#", "/", "~" })
	void separatorAndServerPrefixMeanNothingToAnExpression(String separator) {
		String[] properties = { "hilo.digits=4", "hilo.server-prefix-document=true",
				"hilo.sequences.texts.identity-parts-separator=" + separator };
		this.database.collection("@hilo")
			.insertOne(new Document("_id", "Raven/ServerPrefixForHilo").append("ServerPrefix", "n0.1+(/"));
		this.database.setCounter("texts", 32L);
		this.others.store("texts", "textsxn0.1+(/0040-A", "texts" + separator + "n0x1+(/0040-A",
				"texts" + separator + "n0.11(/0040-A", "texts" + separator + "0040-A",
				"texts" + separator + "n0.1+(/00400-A");
		this.applications
			.run((app) -> assertThat(StoredTextTests.save(app, 10)).startsWith("texts" + separator + "n0.1+(/0033-A")
				.endsWith("texts" + separator + "n0.1+(/0042-A"), properties);
		this.others.store("texts", "texts" + separator + "n0.1+(/0050-A");
		this.applications.run((app) -> StoredTextTests.save(app, 40), properties);
		this.others.requireKept(50);
	}

	@Test
	void idsSortAndPageAsTheirNumbersDo() {
		this.database.setCounter("texts", 8L);
		this.applications.run((app) -> {
			List<@Nullable String> saved = StoredTextTests.save(app, 110);
			Query sorted = new Query().with(Sort.by("id"));
			assertThat(app.template().find(sorted, TextRec.class)).extracting(TextRec::id)
				.containsExactlyElementsOf(saved);
			List<@Nullable String> paged = new ArrayList<>();
			ScrollPosition next = ScrollPosition.keyset();
			Window<TextRec> page;
			do {
				page = app.template().scroll(sorted.with(next).limit(25), TextRec.class);
				page.forEach((text) -> paged.add(text.id()));
				next = page.isEmpty() ? next : page.positionAt(page.size() - 1);
			}
			while (page.hasNext());
			assertThat(paged).containsExactlyElementsOf(saved);
		}, "hilo.digits=3");
	}

	private static String padded(int number) {
		return StoredTextTests.id(number, 8);
	}

	@HiLo("REC")
	@org.springframework.data.mongodb.core.mapping.Document("receipts")
	record Receipt(@Nullable String id, @HiLo @Nullable String code) {
	}

}
