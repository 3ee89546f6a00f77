package io.github.hilo.store;

import org.jspecify.annotations.Nullable;

/**
 * Checks names and shows them in messages. Internal.
 * <p>
 * A name may come from outside: in a message it is shortened, and what could forge a line
 * of a log is shown as an escape.
 */
public final class Names {

	private static final int MAX_LENGTH = 200;

	private Names() {
	}

	/**
	 * Checks the name of a sequence.
	 * @param sequence the name
	 * @return the name
	 * @throws IllegalArgumentException if no counter can have it
	 */
	public static String requireSequence(@Nullable String sequence) {
		if (sequence == null || sequence.isBlank()) {
			throw new IllegalArgumentException("The sequence name is " + ((sequence == null) ? "null" : "blank")
					+ ". Pass the exact name of a counter, such as \"orders\".");
		}
		if (!isWellFormed(sequence)) {
			throw new IllegalArgumentException("The sequence name " + quoted(sequence)
					+ " holds half of a surrogate pair, which no document can store. Pass a well-formed string.");
		}
		return sequence;
	}

	/**
	 * Checks the name of a database.
	 * @param database the name
	 * @return the name
	 * @throws IllegalArgumentException if it is blank
	 */
	public static String requireDatabase(String database) {
		if (database.isBlank()) {
			throw new IllegalArgumentException(
					"The database name is blank. Pass a database's name, or null for the default database.");
		}
		return database;
	}

	/**
	 * Tells whether a text can be stored. Ill-formed names could be encoded alike and
	 * share a counter.
	 * @param text any text
	 * @return whether every surrogate is one of a pair
	 */
	public static boolean isWellFormed(String text) {
		return text.codePoints()
			.noneMatch((point) -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
	}

	/**
	 * Quotes a name for a message.
	 * @param name any text
	 * @return the text on one line, in single quotes
	 */
	public static String quoted(String name) {
		return "'" + printable(name) + "'";
	}

	/**
	 * Makes a text fit to stand in a message.
	 * @param text any text
	 * @return the text on one line, shortened where it is long
	 */
	public static String printable(String text) {
		StringBuilder result = new StringBuilder();
		int length = Math.min(text.length(), MAX_LENGTH);
		for (int i = 0; i < length; i++) {
			char c = text.charAt(i);
			if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || Character.isSurrogate(c)) {
				result.append(String.format("\\u%04x", (int) c));
			}
			else {
				result.append(c);
			}
		}
		return (text.length() > MAX_LENGTH) ? result.append("… (" + text.length() + " characters)").toString()
				: result.toString();
	}

}
