package io.github.hilo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code docs/troubleshooting.md} against the messages in the sources. The page has the
 * beginning of each message, as code in the first column of a table.
 */
class TroubleshootingTests {

	/**
	 * Beginnings of texts that users read within another message only, or not at all.
	 */
	private static final List<String> PARTS = """
			no type known yet
			a sequence that each save names
			none for …, because of a constraint or a time series
			an int or a long
			or put @HiLo(enabled = false) on the type
			or remove @HiLo.
			Let it be stored as
			Name one sequence for both
			Keep one of the two names.
			Make it a Long, Integer, long or int
			Make it a String, long or int
			Put @HiLo on another property.
			Give the field a name without one.
			Put it on the field
			If the type is saved to a collection
			by a converter, not as
			It is tried again … after it began.
			no time was left to send the command
			or set … to false for this sequence
			^…[0-9]{…}…\\z
			sequence … of database
			collection … of database
			{_id: 0, Max: 1, Grants: 1}
			{$set: {Max: NumberLong("…")}}
			{$unset: {Grants: 1}}
			No range for
			The counter of … may not have been raised to
			Unused numbers of … may not have been returned
			is … (…)
			ids of … in … have been read
			not (authorized|allowed to do action)
			(?s)(execute command \\{ ?\\w+).*
			No document gets an id from hilo: hilo.assign-ids is none
			Documents get ids and numbers before they are saved
			Numbers in the range that ids are taken from
			Numbers left in the range that ids are taken from
			Requests for a range, from the request
			Pass a database's name
			Pass the highest number in use, a whole number
			Pass the name of one database
			Pass the name of one sequence in the path.
			""".lines().toList();

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static Set<String> texts = Set.of();

	private static List<String> entries = List.of();

	@BeforeAll
	static void read() throws IOException {
		texts = MessageTexts.of(Path.of("src", "main", "java"));
		entries = Files.readAllLines(Path.of("..", "docs", "troubleshooting.md"))
			.stream()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> CODE.matcher(line.split(" \\| ", 2)[0]).results())
			.map((MatchResult code) -> MessageTexts.normalize(code.group(1)))
			.toList();
	}

	@Test
	void pageHasEveryMessage() {
		List<String> missing = texts.stream().filter((text) -> beginningsOf(text).findAny().isEmpty()).toList();
		assertThat(missing).as("add these to docs/troubleshooting.md").isEmpty();
	}

	@Test
	void everyEntryOfThePageBeginsOneMessage() {
		assertThat(entries).isNotEmpty().doesNotHaveDuplicates().allSatisfy(TroubleshootingTests::beginsOneText);
	}

	@Test
	void everyPartIsStillThere() {
		assertThat(PARTS).doesNotHaveDuplicates().allSatisfy(TroubleshootingTests::beginsOneText);
	}

	@Test
	void textIsFoundWhereverItIsPutTogether(@TempDir Path directory) throws IOException {
		Files.writeString(directory.resolve("Thrower.java"),
				"""
						@Documented("not for users of it")
						class Thrower {
							String help = "See " + "the page" + page + " of " + ("it" + 1) + ".";
							void run(String name) {
								logger.info("nobody has to act");
								logger.warn("{} is late by {} seconds", name, 1);
								throw new IllegalStateException(of("two words") + failed("is %s, which is wrong".formatted(name)));
							}
						}
						""");
		assertThat(MessageTexts.of(directory)).containsExactly("See the page… of ….", "is late by … seconds",
				"is …, which is wrong");
	}

	private static void beginsOneText(String beginning) {
		assertThat(texts).filteredOn((text) -> begins(beginning, text)).as(beginning).hasSize(1);
	}

	private static Stream<String> beginningsOf(String text) {
		return Stream.concat(entries.stream(), PARTS.stream()).filter((beginning) -> begins(beginning, text));
	}

	private static boolean begins(String beginning, String text) {
		return texts.contains(beginning) ? text.equals(beginning) : text.startsWith(beginning);
	}

}
