package io.github.hilo.processes;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.hilo.fixture.Docs;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;

/**
 * The commands and code of {@code docs/protocol.md}, as they stand there.
 */
final class ProtocolPage {

	private static final Pattern CODE = Pattern.compile("(?ms)^```\\w+\n(.*?)^```$");

	private static final Pattern HEADING = Pattern.compile("(?m)^##+ ");

	private ProtocolPage() {
	}

	/**
	 * Returns the command that reserves 32 numbers of {@code orders}.
	 */
	static BsonDocument reserve(ObjectId grant) {
		return command("Reserve a range", grant);
	}

	/**
	 * Returns the command that creates the counter of {@code orders} at 41.
	 */
	static BsonDocument create(ObjectId grant) {
		return command("If the answer is empty", grant);
	}

	private static BsonDocument command(String section, ObjectId grant) {
		return BsonDocument.parse(code(section).get(0).replace("000000000000000000000000", grant.toHexString()));
	}

	/**
	 * Returns the blocks of code of a section, down to the next heading.
	 */
	static List<String> code(String section) {
		String text = Stream.of(HEADING.split(Docs.page("protocol.md")))
			.filter((part) -> part.startsWith(section + "\n"))
			.findFirst()
			.orElseThrow(() -> new AssertionError("There is no '" + section + "'"));
		return CODE.matcher(text).results().map((block) -> block.group(1)).toList();
	}

}
