package io.github.hilo.mongodb;

import java.util.regex.Pattern;

/**
 * The number in a document id of which neither the server prefix nor the tag is known.
 * <p>
 * An id is {@code <sequence><separator>[<server prefix>]<number>[-<tag>]}. Tag and prefix
 * may hold digits and dashes as well, but no prefix ends in a digit, so the number is one
 * of those runs of digits that the end or a {@code -} follows. The highest of them is
 * taken: too high a number leaves a gap, too low a one would be issued again.
 */
final class DocumentIdNumber {

	/**
	 * Stands for every number that is higher than a {@code long} can hold.
	 */
	static final long TOO_HIGH = Long.MAX_VALUE;

	private static final Pattern UUID = Pattern
		.compile("\\p{XDigit}{8}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{4}-\\p{XDigit}{12}");

	private DocumentIdNumber() {
	}

	/**
	 * Finds the highest number that an id may have been given.
	 * @param id the id
	 * @param from the index of what follows the sequence and the separator
	 * @return a number that is not below the id's, or 0 if the id has none: it is of
	 * another form, or ends in a UUID
	 */
	static long of(String id, int from) {
		long highest = 0;
		int start = from;
		while (start < id.length()) {
			int end = start;
			while (end < id.length() && isDigit(id.charAt(end))) {
				end++;
			}
			if (end > start && (end == id.length() || id.charAt(end) == '-')) {
				highest = Math.max(highest, parse(id, start, end));
			}
			start = end + 1;
		}
		return (highest > 0 && isUuid(id, from)) ? 0 : highest;
	}

	/**
	 * ASCII only, as numbers are written.
	 */
	private static boolean isDigit(char c) {
		return c >= '0' && c <= '9';
	}

	private static long parse(String id, int start, int end) {
		try {
			return Long.parseLong(id, start, end, 10);
		}
		catch (NumberFormatException ex) {
			return TOO_HIGH;
		}
	}

	private static boolean isUuid(String id, int from) {
		return id.length() - from == 36 && UUID.matcher(id).region(from, id.length()).matches();
	}

}
