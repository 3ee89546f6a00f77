package io.github.hilo.internal.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.text.DocumentIdFormat;
import io.github.hilo.internal.text.Names;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Finds the highest number in the texts of a place, by one {@code aggregate}: <pre>
 * [{$match: {$and: [{_id: {$gte: "orders/0", $lt: "orders/:"}}, {_id: {$regex: …}}]}},
 *  {$project: {_id: 0, rest: …}},
 *  {$group: {_id: …, max: {$max: "$rest"}}}]
 * </pre> {@code rest} is what follows the head. The server groups it by the number of its
 * digits, because texts with equally many digits sort as their numbers do, whatever
 * follows the digits. So the server returns at most 20 documents, and reads only the
 * index of the field if there is one. Arrays form a group without a {@code max}, because
 * a condition that excluded arrays would make the server read documents.
 * <p>
 * A number of 19 digits counts only if it begins with a zero, because one that is higher
 * than any counter would hide the others of its group. In a place of numbers, texts that
 * consist of digits count, because Spring Data reads them as numbers.
 *
 * @param head what precedes the number, or an empty string in a place of numbers
 */
record TextNumbers(Place place, String head, String form) {

	private static final String NUMBER = "(0[0-9]{18}|[0-9]{1,18})";

	private static final String UUID = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\z";

	private static final Pattern KNOWN_TO_EXPRESSIONS = Pattern.compile("[\\\\^$.|?*+()\\[\\]{}\\x00]");

	private static final BsonDocument GROUP = BsonDocument
		.parse("{$group: {_id: {$indexOfBytes: [{$concat: ['$rest', '-']}, '-']}, max: {$max: '$rest'}}}");

	static TextNumbers of(Place place, DocumentIdFormat format, String serverPrefix) {
		if (place.form() == IdForm.NUMBER) {
			return new TextNumbers(place, "", "^" + NUMBER + "\\z");
		}
		String head = format.head() + serverPrefix;
		// A UUID has no number, unless it looks exactly like an id that is issued.
		return new TextNumbers(place, head, "^" + literal(head) + "((?!" + UUID + ")|(?=[0-9]+" + literal(format.tail())
				+ "\\z))" + NUMBER + "(-|\\z)");
	}

	/**
	 * Escapes what has a meaning in a regular expression, and the null character, which
	 * an expression must not contain.
	 */
	static String literal(String text) {
		return KNOWN_TO_EXPRESSIONS.matcher(text).replaceAll("\\\\$0").replace("\\\0", "\\x00");
	}

	/**
	 * Returns a pipeline that both MongoDB 5.0 and mongo-java-server support. The latter
	 * needs the bounds and the expression as separate conditions. {@code $substrBytes}
	 * turns a symbol into a string, because {@code $indexOfBytes} refuses symbols.
	 */
	List<BsonDocument> pipeline() {
		String path = this.place.path();
		BsonString value = new BsonString("$" + path);
		BsonDocument bounds = new BsonDocument("$gte", new BsonString(this.head + "0")).append("$lt",
				new BsonString(this.head + ":"));
		BsonDocument form = new BsonDocument("$regex", new BsonString(this.form));
		BsonInt32 start = new BsonInt32(this.head.getBytes(StandardCharsets.UTF_8).length);
		BsonDocument rest = call("$cond", new BsonDocument("$isArray", value), BsonNull.VALUE,
				call("$substrBytes", value, start, new BsonInt32(-1)));
		return List.of(
				new BsonDocument("$match", call("$and", new BsonDocument(path, bounds), new BsonDocument(path, form))),
				new BsonDocument("$project", new BsonDocument(Place.ID, new BsonInt32(0)).append("rest", rest)), GROUP);
	}

	private static BsonDocument call(String operator, BsonValue... operands) {
		return new BsonDocument(operator, new BsonArray(Arrays.asList(operands)));
	}

	Optional<StoredId> highestOf(List<BsonDocument> groups) {
		return groups.stream()
			.filter((group) -> group.isString("max"))
			.map((group) -> Long.parseLong(group.getString("max").getValue(), 0, group.getNumber(Place.ID).intValue(),
					10))
			.max(Long::compare)
			.map((number) -> new StoredId(this.place, new BsonInt64(number)));
	}

	/**
	 * Returns a command that computes the same number in mongosh, or 1 if there is none,
	 * because a counter can be raised to 1 and not to 0.
	 */
	String command() {
		String pipeline = pipeline().stream().map(BsonDocument::toJson).collect(Collectors.joining(", ", "[", "]"));
		return "Math.max(1, ...db.getCollection(" + Names.quoted(this.place.collection()) + ").aggregate(" + pipeline
				+ ", {collation: {locale: \"simple\"}}).toArray().map((group) => parseInt(group.max) || 1))";
	}

}
