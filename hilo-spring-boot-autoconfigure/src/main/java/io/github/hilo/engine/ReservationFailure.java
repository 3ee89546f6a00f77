package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletionException;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Names;
import io.github.hilo.store.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that callers see where there is no range.
 */
final class ReservationFailure {

	private ReservationFailure() {
	}

	/**
	 * Makes one of our exceptions of what a store failed with.
	 */
	static RuntimeException of(String sequence, String database, @Nullable Throwable failure) {
		RuntimeException own = ownException(failure);
		return (own != null) ? own : unavailable(sequence, database, describe(failure), causeOf(failure));
	}

	/**
	 * Makes one of our exceptions of what a raise failed with.
	 */
	static RuntimeException ofRaise(String sequence, String database, long floor, @Nullable Throwable failure) {
		RuntimeException own = ownException(failure);
		return (own != null) ? own : notRaised(sequence, database, floor, describe(failure));
	}

	static HiLoUnavailableException notRaised(String sequence, String database, long floor, String why) {
		return new HiLoUnavailableException("The counter of sequence " + Names.quoted(sequence) + " of database "
				+ Names.quoted(database) + " may not have been raised to " + floor + ": " + why);
	}

	/**
	 * Tells why a caller is not waited for any longer.
	 */
	static String noAnswerWithin(Duration timeout) {
		return "no answer from MongoDB within " + Timeouts.named(timeout);
	}

	private static @Nullable RuntimeException ownException(@Nullable Throwable failure) {
		return (causeOf(failure) instanceof RuntimeException cause && (cause instanceof HiLoUnavailableException
				|| cause instanceof HiLoDocumentException || cause instanceof HiLoExhaustedException)) ? cause : null;
	}

	private static @Nullable Throwable causeOf(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private static String describe(@Nullable Throwable failure) {
		return Names.printableText(String.valueOf(causeOf(failure)));
	}

	static HiLoUnavailableException unavailable(String sequence, String database, String why,
			@Nullable Throwable cause) {
		HiLoUnavailableException unavailable = new HiLoUnavailableException("No range for sequence "
				+ Names.quoted(sequence) + " of database " + Names.quoted(database) + ": " + why);
		if (cause != null) {
			unavailable.initCause(cause);
		}
		return unavailable;
	}

	static IllegalStateException closed(String sequence) {
		return new IllegalStateException("The HiLo id generator is closed, so sequence " + Names.quoted(sequence)
				+ " issues no more ids. Save documents before the application context has closed.");
	}

	/**
	 * Callers share a failure; each throws an exception with a stack trace of its own.
	 */
	static RuntimeException copyOf(Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		if (failure instanceof IllegalStateException) {
			return new IllegalStateException(message, failure);
		}
		if (failure instanceof HiLoExhaustedException) {
			return new HiLoExhaustedException(message, failure);
		}
		return (failure instanceof HiLoDocumentException) ? new HiLoDocumentException(message, failure)
				: new HiLoUnavailableException(message, failure);
	}

}
