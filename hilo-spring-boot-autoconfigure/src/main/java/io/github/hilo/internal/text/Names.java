package io.github.hilo.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Checks names and prepares them for messages. Names may come from outside, so a message
 * shortens them and escapes characters that could forge a line of a log.
 */
public final class Names {

	/**
	 * The greatest length of the {@code _id} of a counter, in bytes of UTF-8. In MongoDB
	 * before 4.2, an index entry has at most 1,024 bytes.
	 */
	public static final int MAX_COUNTER_ID_BYTES = 1_000;

	private static final int MAX_DATABASE_BYTES = 63;

	// The form of a database's name in messages, if it is on another cluster than the
	// default database.
	private static final Pattern OF_A_CLUSTER = Pattern.compile(".+@.+:\\d+");

	private static final String NOT_IN_DATABASE = "$/\\. \"\0";

	private static final int MAX_LENGTH = 200;

	private static final int MAX_TEXT_LENGTH = 2_000;

	private Names() {
	}

	/**
	 * Checks the name of a sequence.
	 * @throws IllegalArgumentException if no counter can have the name, with any prefix
	 */
	public static String requireSequence(@Nullable String sequence) {
		if (sequence == null || sequence.isBlank()) {
			throw new IllegalArgumentException("The sequence name is " + ((sequence != null) ? "blank" : "null")
					+ ". Pass the exact name of a counter, such as \"orders\".");
		}
		requireCounterId(sequence, sequence);
		requireWellFormed("sequence", sequence);
		return sequence;
	}

	/**
	 * Checks the length of a counter's {@code _id}.
	 * @throws IllegalArgumentException if the {@code _id} is too long
	 */
	public static void requireCounterId(String sequence, String counterId) {
		require(bytesOf(counterId) <= MAX_COUNTER_ID_BYTES, () -> "The sequence name " + quoted(sequence)
				+ " is too long: the _id of its counter would have " + bytesOf(counterId)
				+ " bytes of UTF-8, and it can have at most " + MAX_COUNTER_ID_BYTES
				+ ". Pass the exact name of a counter, such as \"orders\"; never make a name from users' input.");
	}

	public static boolean isCounterId(String counterId) {
		return bytesOf(counterId) <= MAX_COUNTER_ID_BYTES && isWellFormed(counterId);
	}

	/**
	 * Checks the name of a database.
	 * @throws IllegalArgumentException if no database can have the name
	 */
	public static String requireDatabase(String database) {
		String advice = "Pass a database's name, or null for the default database.";
		require(bytesOf(database) <= MAX_DATABASE_BYTES,
				() -> "The database name " + quoted(database) + " is too long: it has " + bytesOf(database)
						+ " bytes of UTF-8, and it can have at most " + MAX_DATABASE_BYTES + ". " + advice);
		require(!database.isBlank(), () -> "The database name is blank. " + advice);
		requireWellFormed("database", database);
		require(!OF_A_CLUSTER.matcher(database).matches(), () -> "The database " + quoted(database)
				+ " is in a cluster that no template of this process has saved to yet. " + advice);
		require(database.chars().noneMatch((c) -> NOT_IN_DATABASE.indexOf(c) >= 0), () -> "The database name "
				+ quoted(database)
				+ " contains a character that no name can have: one of $ / \\ . \", a blank or a null character. "
				+ advice);
		return database;
	}

	private static void requireWellFormed(String what, String name) {
		require(isWellFormed(name), () -> "The " + what + " name " + quoted(name)
				+ " contains half of a surrogate pair, which no document can store. Pass a well-formed string.");
	}

	private static void require(boolean valid, Supplier<String> message) {
		if (!valid) {
			throw new IllegalArgumentException(message.get());
		}
	}

	private static int bytesOf(String name) {
		return name.getBytes(StandardCharsets.UTF_8).length;
	}

	/**
	 * Whether a text can be stored. Two ill-formed names could have the same encoding and
	 * share a counter.
	 */
	public static boolean isWellFormed(String text) {
		return StandardCharsets.UTF_8.newEncoder().canEncode(text);
	}

	/**
	 * Whether a text has a placeholder or an expression of Spring. Nobody evaluates them
	 * in a name, so they would become part of it.
	 */
	public static boolean isExpression(String text) {
		return text.contains("${") || text.contains("#{");
	}

	public static String quoted(String name) {
		return "'" + printable(name) + "'";
	}

	public static String printable(String text) {
		return printable(text, MAX_LENGTH);
	}

	/**
	 * Prepares another library's message for a message of this library.
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
