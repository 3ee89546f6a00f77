package io.github.hilo.store;

/**
 * Names as they stand in messages. Internal.
 * <p>
 * A name may come from outside: it is shortened, and what could forge a line of a log is
 * shown as an escape.
 */
public final class Quoted {

	private static final int MAX_LENGTH = 200;

	private Quoted() {
	}

	/**
	 * Quotes a name.
	 * @param name any text
	 * @return the text on one line, in single quotes
	 */
	public static String name(String name) {
		return "'" + text(name) + "'";
	}

	/**
	 * Tells whether a text can be stored: two that can't would be stored as the same.
	 * @param text any text
	 * @return whether every surrogate is one of a pair
	 */
	public static boolean isWellFormed(String text) {
		return text.codePoints()
			.noneMatch((point) -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
	}

	/**
	 * Makes a text fit to stand in a message.
	 * @param text any text
	 * @return the text on one line, shortened where it is long
	 */
	public static String text(String text) {
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
