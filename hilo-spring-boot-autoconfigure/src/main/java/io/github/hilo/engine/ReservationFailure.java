package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.text.Names;
import io.github.hilo.text.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions that callers see where there is no range.
 */
final class ReservationFailure {

	private ReservationFailure() {
	}

	/**
	 * Makes one of our exceptions of what an operation failed with.
	 */
	static RuntimeException of(Operation<?> operation, SequenceView sequence, @Nullable Throwable failure) {
		Throwable cause = (failure != null) ? unwrapped(failure) : new NullPointerException("The store answered null");
		if (cause instanceof HiLoUnavailableException || cause instanceof HiLoDocumentException
				|| cause instanceof HiLoExhaustedException) {
			return (RuntimeException) cause;
		}
		return unavailable(operation, sequence, description(cause), cause);
	}

	private static String description(Throwable cause) {
		try {
			return Names.printableText(cause.toString());
		}
		// It must end the operation, too.
		catch (RuntimeException ex) {
			return "a failure that cannot be described";
		}
	}

	/**
	 * Makes the failure of an operation that outlived its time.
	 */
	static HiLoUnavailableException late(Operation<?> operation, SequenceView sequence, Duration timeout) {
		return unavailable(operation, sequence, noAnswerWithin(timeout), null);
	}

	private static HiLoUnavailableException unavailable(Operation<?> operation, SequenceView sequence, String why,
			@Nullable Throwable cause) {
		if (operation instanceof Operation.Return) {
			return caused(
					new HiLoUnavailableException(
							"Unused numbers of sequence " + Names.quoted(sequence.name()) + " of database "
									+ Names.quoted(sequence.database()) + " may not have been returned: " + why),
					cause);
		}
		return (operation instanceof Operation.Raise raise) ? notRaised(sequence, raise.floor(), why, cause)
				: noRange(sequence, why, cause);
	}

	static HiLoUnavailableException noRange(SequenceView sequence, String why, @Nullable Throwable cause) {
		return caused(new HiLoUnavailableException("No range for sequence " + Names.quoted(sequence.name())
				+ " of database " + Names.quoted(sequence.database()) + ": " + why), cause);
	}

	static HiLoUnavailableException notRaised(SequenceView sequence, long floor, String why,
			@Nullable Throwable cause) {
		return caused(new HiLoUnavailableException(
				"The counter of sequence " + Names.quoted(sequence.name()) + " of database "
						+ Names.quoted(sequence.database()) + " may not have been raised to " + floor + ": " + why),
				cause);
	}

	private static HiLoUnavailableException caused(HiLoUnavailableException failure, @Nullable Throwable cause) {
		if (cause != null) {
			failure.initCause(cause);
		}
		return failure;
	}

	/**
	 * Tells why a caller is not waited for any longer.
	 */
	static String noAnswerWithin(Duration timeout) {
		return "no answer from MongoDB within " + Timeouts.named(timeout);
	}

	static IllegalStateException closed(String sequence) {
		return new IllegalStateException("The HiLo id generator is closed, so sequence " + Names.quoted(sequence)
				+ " issues no more ids. Save documents before the application context has closed.");
	}

	/**
	 * Callers share a failure; each throws an exception with a stack trace of its own.
	 */
	static RuntimeException copyOf(Throwable failure) {
		Throwable cause = unwrapped(failure);
		String message = String.valueOf(cause.getMessage());
		if (cause instanceof IllegalStateException) {
			return new IllegalStateException(message, cause);
		}
		if (cause instanceof HiLoExhaustedException) {
			return new HiLoExhaustedException(message, cause);
		}
		return (cause instanceof HiLoDocumentException) ? new HiLoDocumentException(message, cause)
				: new HiLoUnavailableException(message, cause);
	}

	/**
	 * Returns the result of what has ended, or throws what it failed with.
	 */
	static <T extends @Nullable Object> T join(CompletableFuture<T> ended) {
		try {
			return ended.join();
		}
		catch (CompletionException ex) {
			throw copyOf(ex);
		}
	}

	private static Throwable unwrapped(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
