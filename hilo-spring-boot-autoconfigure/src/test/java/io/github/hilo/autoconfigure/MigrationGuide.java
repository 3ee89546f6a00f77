package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.fixture.ApplicationDatabase;
import io.github.hilo.fixture.Docs;
import io.github.hilo.fixture.MongoTestServer;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands of a page, such as {@code docs/migrating.md}, to be run as they stand.
 */
final class MigrationGuide {

	private static final Pattern SHELL = Pattern
		.compile("db\\.getCollection\\(\"([^\"]+)\"\\)\\.(\\w+)\\((.*?)\\)(?: // (.*))?");

	private static final Pattern CURL = Pattern
		.compile("curl -X POST -H 'Content-Type: application/json' -d '(.*)' localhost:8080(\\S+)");

	private static final Pattern JAVA = Pattern.compile("generator\\.ensureAtLeast\\(\"(\\w+)\", (\\d+)\\);");

	private final String text;

	MigrationGuide() {
		this("migrating.md");
	}

	MigrationGuide(String page) {
		this.text = Docs.page(page);
	}

	/**
	 * Runs the commands for mongosh. What an answer is said to be is compared.
	 * @return how many there were
	 */
	int runShell(String section, String step, ApplicationDatabase database) {
		List<MatchResult> commands = commands(section, step, "js", SHELL);
		commands.forEach((command) -> run(command,
				MongoTestServer.client()
					.getDatabase(database.name())
					.getCollection(command.group(1), BsonDocument.class)));
		return commands.size();
	}

	/**
	 * Runs the calls of the generator.
	 * @return how many there were
	 */
	int runJava(String section, String step, HiLoIdGenerator generator) {
		List<MatchResult> calls = commands(section, step, "java", JAVA);
		calls.forEach((call) -> generator.ensureAtLeast(call.group(1), Long.parseLong(call.group(2))));
		return calls.size();
	}

	/**
	 * Runs the calls of the endpoint.
	 * @return how many there were
	 */
	int runCurl(String section, String step, MockMvcTester mvc) {
		List<MatchResult> calls = commands(section, step, "sh", CURL);
		calls.forEach((call) -> assertThat(
				mvc.post().uri(call.group(2)).contentType(MediaType.APPLICATION_JSON).content(call.group(1)))
			.hasStatusOk());
		return calls.size();
	}

	/**
	 * Returns the line of the log that a section shows.
	 */
	String logLine(String section) {
		return section(section).lines()
			.map(String::strip)
			.filter((line) -> line.startsWith("The highest stored id"))
			.findFirst()
			.orElseThrow();
	}

	private String section(String section) {
		return part(this.text, "\n## ", section);
	}

	/**
	 * Returns the lines of all commands, whatever step they belong to.
	 */
	Stream<String> shellLines() {
		return this.text.lines().filter((line) -> line.startsWith("db."));
	}

	private List<MatchResult> commands(String section, String step, String language, Pattern pattern) {
		return fences(section, step, language).flatMap(String::lines).map(String::strip).map((line) -> {
			var matcher = pattern.matcher(line);
			assertThat(matcher.matches()).as("understood: %s", line).isTrue();
			return matcher.toMatchResult();
		}).toList();
	}

	private Stream<String> fences(String section, String step, String language) {
		return Pattern.compile("```" + language + "\n(.*?)\n *```", Pattern.DOTALL)
			.matcher(part(section(section), "\n### ", step))
			.results()
			.map((result) -> result.group(1));
	}

	private static String part(String text, String heading, String title) {
		return Stream.of(text.split(heading))
			.filter((part) -> part.startsWith(title + "\n"))
			.findFirst()
			.orElseThrow(() -> new AssertionError("There is no '" + title + "'"));
	}

	private static void run(MatchResult command, MongoCollection<BsonDocument> collection) {
		String[] parts = command.group(3)
			.replace("ObjectId()", "ObjectId('" + new ObjectId() + "')")
			.split("\\)\\.sort\\(|\\)\\.limit\\(", -1);
		BsonArray arguments = BsonDocument.parse("{a: [" + parts[0] + "]}").getArray("a");
		BsonValue first = arguments.get(0);
		switch (command.group(2)) {
			case "insertOne" -> collection.insertOne(first.asDocument());
			case "updateOne" -> collection.updateOne(first.asDocument(), arguments.get(1).asDocument(),
					new UpdateOptions().upsert(arguments.size() > 2
							&& arguments.get(2).asDocument().getBoolean("upsert", BsonBoolean.FALSE).getValue()));
			case "deleteMany" -> assertThat(collection.deleteMany(first.asDocument()).getDeletedCount()).isPositive();
			case "find" -> requireAnswer(collection.find(first.asDocument())
				.sort(BsonDocument.parse(parts[1]))
				.limit(Integer.parseInt(parts[2]))
				.first(), command.group(4));
			case "findOne" -> requireAnswer(collection.find(first.asDocument()).first(), command.group(4));
			case "aggregate" -> requireAnswer(
					collection.aggregate(first.asArray().stream().map(BsonValue::asDocument).toList()).first(),
					command.group(4));
			default -> throw new AssertionError("Not understood: " + command.group());
		}
	}

	private static void requireAnswer(@Nullable BsonDocument found, String answer) {
		if (answer.equals("null")) {
			assertThat(found).isNull();
			return;
		}
		assertThat(found).isNotNull();
		assertThat(BsonDocument.parse(answer)).isNotEmpty()
			.allSatisfy((field, promised) -> assertThat(value(found.get(field))).as(field).isEqualTo(value(promised)));
	}

	private static @Nullable Object value(@Nullable BsonValue value) {
		return (value instanceof BsonNumber number) ? number.longValue() : value;
	}

}
