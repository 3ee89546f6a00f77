package io.github.hilo.mongodb;

import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Finds out why no server could be selected. The driver's exception has no cause then;
 * its message says of each server <pre>
 * exception={com.mongodb.MongoSocketOpenException: Exception opening socket}, caused by {java.net.ConnectException: Connection refused}
 * </pre> where braces within a message are taken to come in pairs.
 */
final class ServerFailures {

	private static final String FAILURE = "exception={";

	private static final String CAUSE = "}, caused by {";

	private ServerFailures() {
	}

	/**
	 * Describes the innermost failure of each server.
	 * @param message the message of a driver's exception
	 * @return each reason once, or {@code null} if there is none in the message
	 */
	static @Nullable String describe(String message) {
		Set<String> reasons = new LinkedHashSet<>();
		int at = message.indexOf(FAILURE);
		while (at >= 0) {
			int start = at + FAILURE.length();
			int end = endOf(message, start);
			while (message.startsWith(CAUSE, end)) {
				start = end + CAUSE.length();
				end = endOf(message, start);
			}
			reasons.add(describeOne(message.substring(start, end).strip()));
			at = message.indexOf(FAILURE, end);
		}
		return reasons.isEmpty() ? null : String.join(", ", reasons);
	}

	private static int endOf(String message, int start) {
		int depth = 1;
		for (int i = start; i < message.length(); i++) {
			char c = message.charAt(i);
			depth += (c == '{') ? 1 : (c == '}') ? -1 : 0;
			if (depth == 0) {
				return i;
			}
		}
		return message.length();
	}

	/**
	 * Puts a class's name behind the message.
	 */
	private static String describeOne(String failure) {
		int colon = failure.indexOf(": ");
		String name = (colon < 0) ? failure : failure.substring(0, colon);
		String simpleName = name.substring(name.lastIndexOf('.') + 1);
		return (colon < 0) ? simpleName : failure.substring(colon + 2) + " (" + simpleName + ")";
	}

}
