package io.github.hilo.internal.counter;

import java.util.Map;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.text.Names;

/**
 * What to do if the collection of the counters refuses a command, by the code of the
 * server's error. None of these is repeated.
 */
final class CounterErrors {

	private static final String OWN = "Set hilo.counter.collection to a collection of its own";

	private static final Map<Integer, String> ADVICE = Map.of(
			// Unauthorized
			13, "Allow find, insert and update on this collection",
			// InvalidNamespace
			73, "Set hilo.counter.collection to a name that a collection can have",
			// DocumentValidationFailure
			121, "The collection has a validator that no counter passes. " + OWN,
			// CommandNotSupportedOnView
			166, "It is a view. " + OWN,
			// A document of a capped collection cannot grow
			10003, "It is a capped collection. " + OWN,
			// OutOfDiskSpace
			14031, "Make room on the disk of the server",
			// DuplicateKey, of another index than that of _id
			11000, "The collection has a unique index on a field that counters do not have. " + OWN);

	private CounterErrors() {
	}

	/**
	 * Returns whether a counter could not be created because it is there. Newer servers
	 * name the fields of the index, all name the index in the message.
	 */
	static boolean isDuplicateId(Throwable failure) {
		return Failures.hasCode(failure, Failures.DUPLICATE_KEY)
				&& !(Failures.causeOf(failure) instanceof MongoCommandException refused
						&& refused.getErrorMessage().contains(" index: ")
						&& !refused.getErrorMessage().contains(" index: _id_ "));
	}

	/**
	 * Returns what to do about a failure, or an empty string.
	 */
	static String advice(Throwable failure, CounterDocument counter) {
		String advice = (Failures.causeOf(failure) instanceof MongoException refused) ? ADVICE.get(refused.getCode())
				: null;
		return (advice != null) ? ". Counters are in collection " + Names.quoted(counter.collection()) + ". " + advice
				: "";
	}

}
