package io.github.hilo.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import io.github.hilo.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Checks names and shows them in messages.
 * <p>
 * A name may come from outside: in a message it is shortened, and what could forge a line
 * of a log is shown as an escape.
 */
public final class Names {

	/**
	 * How long the {@code _id} of a counter may be, in bytes of UTF-8: an index entry of
	 * MongoDB before 4.2 ends at 1,024 bytes.
	 */
	public static final int MAX_COUNTER_ID_BYTES = 1_000;

	private static final int MAX_DATABASE_BYTES = 63;

	// How a database on another cluster than the default one's is shown.
	private static final Pattern OF_A_CLUSTER = Pattern.compile(".+@.+:\\d+");

	private static final String NOT_IN_DATABASE = "$/\\. \"\0";

	private static final int MAX_LENGTH = 200;

	private static final int MAX_TEXT_LENGTH = 2_000;

	private Names() {
	}

	/**
	 * Checks the name of a sequence.
	 * @throws IllegalArgumentException if no counter can have it, whatever precedes it in
	 * the counter's {@code _id}
	 */
	public static String requireSequence(@Nullable String sequence) {
		String name = Arguments.requireSequence(sequence);
		requireCounterId(name, name);
		if (name.isBlank()) {
			throw new IllegalArgumentException(
					"The sequence name is blank. Pass the exact name of a counter, such as \"orders\".");
		}
		requireWellFormed("sequence", name);
		return name;
	}

	/**
	 * Checks that a counter can have the name of a sequence.
	 * @throws IllegalArgumentException if that is too long
	 */
	public static void requireCounterId(String sequence, String counterId) {
		if (isLongerThan(MAX_COUNTER_ID_BYTES, counterId)) {
			throw new IllegalArgumentException("The sequence name " + quoted(sequence)
					+ " is too long: the _id of its counter would have " + bytesOf(counterId)
					+ " bytes of UTF-8, and it can have at most " + MAX_COUNTER_ID_BYTES
					+ ". Pass the exact name of a counter, such as \"orders\"; never make one of users' input.");
		}
	}

	/**
	 * Tells whether a counter can have an {@code _id}.
	 */
	public static boolean isCounterId(String counterId) {
		return !isLongerThan(MAX_COUNTER_ID_BYTES, counterId) && isWellFormed(counterId);
	}

	/**
	 * Checks the name of a database.
	 * @throws IllegalArgumentException if no database can have it
	 */
	public static String requireDatabase(String database) {
		String advice = "Pass a database's name, or null for the default database.";
		if (isLongerThan(MAX_DATABASE_BYTES, database)) {
			throw new IllegalArgumentException(
					"The database name " + quoted(database) + " is too long: it has " + bytesOf(database)
							+ " bytes of UTF-8, and it can have at most " + MAX_DATABASE_BYTES + ". " + advice);
		}
		if (database.isBlank()) {
			throw new IllegalArgumentException("The database name is blank. " + advice);
		}
		requireWellFormed("database", database);
		if (OF_A_CLUSTER.matcher(database).matches()) {
			throw new IllegalArgumentException("The database " + quoted(database)
					+ " is of a cluster that no template of this process has saved to yet. " + advice);
		}
		if (database.chars().anyMatch((c) -> NOT_IN_DATABASE.indexOf(c) >= 0)) {
			throw new IllegalArgumentException("The database name " + quoted(database)
					+ " holds a character that none can have: one of $ / \\ . \", a blank or a null character. "
					+ advice);
		}
		return database;
	}

	private static void requireWellFormed(String what, String name) {
		if (!isWellFormed(name)) {
			throw new IllegalArgumentException("The " + what + " name " + quoted(name)
					+ " holds half of a surrogate pair, which no document can store. Pass a well-formed string.");
		}
	}

	/**
	 * A {@code char} has at most three bytes, so hardly any name is encoded.
	 */
	private static boolean isLongerThan(int bytes, String name) {
		return name.length() > bytes / 3 && bytesOf(name) > bytes;
	}

	private static int bytesOf(String name) {
		return name.getBytes(StandardCharsets.UTF_8).length;
	}

	/**
	 * Tells whether a text can be stored. Ill-formed names could be encoded alike and
	 * share a counter.
	 */
	public static boolean isWellFormed(String text) {
		return text.codePoints()
			.noneMatch((point) -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
	}

	/**
	 * Quotes a name for a message.
	 */
	public static String quoted(String name) {
		return "'" + printable(name) + "'";
	}

	/**
	 * Makes a name or a value fit to stand in a message.
	 */
	public static String printable(String text) {
		return printable(text, MAX_LENGTH);
	}

	/**
	 * Makes a message of others fit to stand in one of ours.
	 */
	public static String printableText(String message) {
		return printable(message, MAX_TEXT_LENGTH);
	}

	private static String printable(String text, int maxLength) {
		StringBuilder result = new StringBuilder();
		int length = Math.min(text.length(), maxLength);
		for (int i = 0; i < length; i++) {
			char c = text.charAt(i);
			if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || Character.isSurrogate(c)) {
				result.append(String.format("\\u%04x", (int) c));
			}
			else {
				result.append(c);
			}
		}
		return (text.length() > maxLength) ? result.append("… (" + text.length() + " characters)").toString()
				: result.toString();
	}

}
