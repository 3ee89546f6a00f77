package io.github.hilo.engine;

import java.util.concurrent.CompletionException;

import io.github.hilo.HiLo;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Quoted;
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
		RuntimeException known = known(failure);
		return (known != null) ? known
				: unavailable(sequence, database, String.valueOf(causeOf(failure)), causeOf(failure));
	}

	/**
	 * Makes one of our exceptions of what a lift failed with.
	 */
	static RuntimeException ofLift(String sequence, String database, long floor, @Nullable Throwable failure) {
		RuntimeException known = known(failure);
		return (known != null) ? known : notLifted(sequence, database, floor, String.valueOf(causeOf(failure)));
	}

	static HiLoUnavailableException notLifted(String sequence, String database, long floor, String why) {
		return new HiLoUnavailableException("The counter of sequence " + Quoted.name(sequence) + " of database "
				+ Quoted.name(database) + " may not have been lifted to " + floor + ": " + why);
	}

	private static @Nullable RuntimeException known(@Nullable Throwable failure) {
		return (causeOf(failure) instanceof RuntimeException cause
				&& (cause instanceof HiLoUnavailableException || cause instanceof HiLoDocumentException)) ? cause
						: null;
	}

	private static @Nullable Throwable causeOf(@Nullable Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	static HiLoUnavailableException unavailable(String sequence, String database, String why,
			@Nullable Throwable cause) {
		HiLoUnavailableException unavailable = new HiLoUnavailableException("No range for sequence "
				+ Quoted.name(sequence) + " of database " + Quoted.name(database) + ": " + why);
		if (cause != null) {
			unavailable.initCause(cause);
		}
		return unavailable;
	}

	static IllegalStateException closed(String sequence) {
		return new IllegalStateException("The HiLo id generator is closed, so sequence " + Quoted.name(sequence)
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
		return (failure instanceof HiLoDocumentException) ? new HiLoDocumentException(message, failure)
				: new HiLoUnavailableException(message, failure);
	}

}
