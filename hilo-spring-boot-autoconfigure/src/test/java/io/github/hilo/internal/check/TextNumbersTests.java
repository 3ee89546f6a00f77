package io.github.hilo.internal.check;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.mongodb.client.MongoCollection;
import io.github.hilo.fixture.DirectThreads;
import io.github.hilo.fixture.MongoTestServer;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.DriverCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.DocumentIdFormat;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link TextNumbers}.
 */
class TextNumbersTests {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final DocumentIdFormat FORMAT = DocumentIdFormat.of("orders", "/", "A", 1);

	private static final Place IDS = Place.ofType("orders", Place.ID, IdForm.TEXT);

	private final TestDatabase database = new TestDatabase();

	private final Commands commands = new DriverCommands(this.database.name(),
			() -> this.database.client().getDatabase(this.database.name()), "@hilo",
			Cluster.create("", new DirectThreads(Runnable::run), TIMEOUT, TimeSource.SYSTEM, TestDatabase.TASKS));

	@AfterEach
	void dropDatabase() {
		this.database.close();
	}

	@ParameterizedTest
	@CsvSource({ "54-A, 54", "54, 54", "54-, 54", "54-B, 54", "54-eu-1, 54", "1-x/540-a/b, 1", "007, 7", "0054-A, 54",
			"999999999999999999-A, 999999999999999999", "0999999999999999999, 999999999999999999",
			"5-550e8400-e29b-41d4-a716-446655440000, 5", "12345678-1234, 12345678", "54-é😀, 54" })
	void idOfTheSequenceHasANumber(String rest, long number) {
		store("orders/" + rest, "orders/x", "orders/~9");
		assertThat(highest(IDS)).isEqualTo(number);
	}

	@ParameterizedTest
	@CsvSource({ "''", "abc-A", "54x", "54_A", "'54 '", "'54\n'", "-5", "/5", "0", "0-A", "x-7", "North/54-A",
			"\u0665\u0664-A", "550e8400-e29b-41d4-a716-446655440000", "12345678-1234-1234-1234-123456789012",
			"12345678-1234-1234-1234-12345678901F", "1000000000000000000", "9223372036854775807-A",
			"00000000000000000054-A" })
	void idOfAnotherFormHasNone(String rest) {
		store("orders/" + rest, "orders.9", "Orders/9", "ordersx/9", "lines/9-A", 9, new ObjectId(),
				new Document("_id", "orders/9-A"));
		assertThat(highest(IDS)).isEqualTo(0);
	}

	@Test
	void highestIsFoundAmongNumbersOfAnyLengthAndTag() {
		store("orders/9-A", "orders/0010-A", "orders/81", "orders/12-Z", "orders/300-A", "orders/299-Z", "orders/x",
				"orders/9999999999999999999-A", "orders/98765432-1234-1234-1234-123456789012");
		assertThat(highest(IDS)).isEqualTo(300);
		assertThat(groups(TextNumbers.of(IDS, FORMAT, "")))
			.containsExactlyInAnyOrderEntriesOf(Map.of(1, "9-A", 2, "81", 3, "300-A", 4, "0010-A"));
	}

	@Test
	void numberFollowsTheServerPrefixInForce() {
		store("orders/7-A", "orders/Nörd/41-A", "orders/South/99-A");
		assertThat(highest(IDS, FORMAT, "Nörd/")).isEqualTo(41);
	}

	/**
	 * Which a tag can make of an id, too.
	 */
	@Test
	void idThatIsIssuedCountsThoughItLooksLikeAUuid() {
		store("orders/12345678-1234-1234-1234-123456789012");
		DocumentIdFormat format = DocumentIdFormat.of("orders", "/", "1234-1234-1234-123456789012", 1);
		assertThat(highest(IDS, format, "")).isEqualTo(12345678);
	}

	@ParameterizedTest
	@CsvSource({ "orders, -", "é-1, .", "😀9, /", "'a.b*c(', |", "'\\$^', ?", "'0', :" })
	void headMayHoldAnything(String sequence, String separator) {
		DocumentIdFormat format = DocumentIdFormat.of(sequence, separator, "A", 3);
		store(format.id(format.head(), 77), sequence + "x54-A");
		assertThat(highest(IDS, format, "")).isEqualTo(77);
	}

	@Test
	void headMayHoldANullCharacter() {
		assertThat(TextNumbers.literal("a\0.")).isEqualTo("a\\x00\\.");
	}

	@Test
	void textsOfAPropertyAreFoundAndArraysCountNowhere() {
		documents().insertMany(Stream
			.of("{a: {number: 'orders/54-A'}}", "{a: {number: ['orders/88-A', 'orders/7-A']}}", "{a: {number: 5}}",
					"{other: 'orders/99-A'}", "{a: [{number: 'orders/99-A'}]}", "{number: 'orders/99-A'}")
			.map(Document::parse)
			.toList());
		assertThat(highest(Place.ofType("orders", "a.number", IdForm.TEXT))).isEqualTo(54);
	}

	@ParameterizedTest
	@MethodSource
	void textsThatAreNothingButDigitsCountInAPlaceOfNumbers(List<Object> stored, long highest) {
		store(stored.toArray());
		assertThat(highest(Place.ofType("orders", Place.ID, IdForm.NUMBER))).isEqualTo(highest);
	}

	static Stream<Arguments> textsThatAreNothingButDigitsCountInAPlaceOfNumbers() {
		return Stream.of(arguments(List.of("1"), 1), arguments(List.of("9", "12", "007", 700, "0011"), 12),
				arguments(List.of("5-A", "5.0", " 5", "-5", "+5", "5x", "", "orders/5", "5\n"), 0),
				arguments(List.of("9223372036854775807", "0999999999999999999"), 999999999999999999L));
	}

	@Test
	void serverIsAskedOnceAndComparesCharacterByCharacter() {
		store("orders/7-A");
		highest(Place.ofType("orders", "number", IdForm.TEXT));
		assertThat(this.database.commands().kinds()).containsExactly("aggregate");
		BsonDocument command = this.database.commands().all().get(0);
		assertThat(command.getArray("pipeline")).isEqualTo(BsonArray.parse("""
				[{$match: {$and: [{number: {$gte: 'orders/0', $lt: 'orders/:'}}, {number: {$regex: '^orders/((?!\
				[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\\\z)|(?=[0-9]+-A\\\\z))(0[0-9]{18}|[0-9]{1,18})\
				(-|\\\\z)'}}]}},
				 {$project: {_id: 0, rest: {$cond: [{$isArray: '$number'}, null, {$substrBytes: ['$number', 7, -1]}]}}},
				 {$group: {_id: {$indexOfBytes: [{$concat: ['$rest', '-']}, '-']}, max: {$max: '$rest'}}}]"""));
		assertThat(command.getDocument("collation").getString("locale").getValue()).isEqualTo("simple");
		assertThat(command.getDocument("readConcern")).isEqualTo(BsonDocument.parse("{level: 'local'}"));
	}

	/**
	 * What a person is told to run is what was run.
	 */
	@Test
	void commandForThePersonHasTheSamePipeline() {
		TextNumbers numbers = TextNumbers.of(Place.ofType("ord\ners", "number", IdForm.TEXT), FORMAT, "N\"");
		String command = numbers.command();
		assertThat(command).startsWith("Math.max(1, ...db.getCollection('ord\\u000aers').aggregate([{")
			.endsWith(", {collation: {locale: \"simple\"}}).toArray().map((group) => parseInt(group.max) || 1))");
		String pipeline = command.substring(command.indexOf("aggregate(") + 10, command.indexOf(", {collation"));
		assertThat(BsonArray.parse(pipeline)).isEqualTo(new BsonArray(numbers.pipeline()));
	}

	@Test
	void thereAreNoMoreRowsThanNumbersOfDigits() {
		store(IntStream.rangeClosed(1, 19).mapToObj((digits) -> "orders/0" + "9".repeat(digits - 1) + "-A").toArray());
		documents().insertOne(Document.parse("{_id: 1, number: ['orders/5-A']}"));
		assertThat(groups(TextNumbers.of(IDS, FORMAT, ""))).hasSize(19);
		assertThat(highest(IDS)).isEqualTo(999999999999999999L);
	}

	private long highest(Place place) {
		return highest(place, FORMAT, "");
	}

	private long highest(Place place, DocumentIdFormat format, String serverPrefix) {
		TextNumbers numbers = TextNumbers.of(place, format, serverPrefix);
		return numbers.highestOf(rows(numbers)).map(StoredId::number).orElse(0L);
	}

	private Map<Integer, String> groups(TextNumbers numbers) {
		return rows(numbers).stream()
			.collect(Collectors.toMap((row) -> row.getNumber("_id", new BsonInt32(-1)).intValue(),
					(row) -> row.getString("max", new BsonString("")).getValue()));
	}

	private List<BsonDocument> rows(TextNumbers numbers) {
		return this.commands
			.aggregate(numbers.place().collection(), numbers.place().path(), numbers.pipeline(),
					new Deadline(TIMEOUT, TimeSource.SYSTEM))
			.toCompletableFuture()
			.join();
	}

	private void store(Object... ids) {
		documents().insertMany(Stream.of(ids).map((id) -> new Document("_id", id)).toList());
	}

	private MongoCollection<Document> documents() {
		return MongoTestServer.client().getDatabase(this.database.name()).getCollection("orders");
	}

}
