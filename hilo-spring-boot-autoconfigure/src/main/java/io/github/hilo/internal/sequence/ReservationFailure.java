package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exceptions that callers get if there is no range.
 */
public final class ReservationFailure {

	private ReservationFailure() {
	}

	static RuntimeException of(@Nullable Throwable failure,
			BiFunction<String, Throwable, HiLoUnavailableException> unavailable) {
		Throwable cause = (failure != null) ? unwrapped(failure) : new NullPointerException("The store answered null");
		if (cause instanceof HiLoUnavailableException || cause instanceof HiLoDocumentException
				|| cause instanceof HiLoExhaustedException || cause instanceof HiLoMappingException) {
			return (RuntimeException) cause;
		}
		return unavailable.apply(description(cause), cause);
	}

	private static String description(Throwable cause) {
		try {
			return Names.printableText(cause.toString());
		}
		// The operation must end even if its failure cannot be described.
		catch (RuntimeException ex) {
			return "a failure that cannot be described";
		}
	}

	public static String noAnswerWithin(Duration timeout) {
		return "no answer from MongoDB within " + Timeouts.named(timeout);
	}

	/**
	 * Describes what a call was waiting for when its time was over.
	 */
	public static String overdue(Deadline deadline) {
		String what = switch (deadline.phase()) {
			case DATABASE -> "its database was not resolved";
			case RANGE -> "no range was reserved for it";
			case QUEUE -> "other commands of the cluster kept the check of stored ids waiting";
			case CHECK -> "the check of stored ids did not end";
			case ANSWER -> "subscribers that got earlier numbers on the same thread did not return";
			case RAISE -> "no answer from MongoDB";
		};
		return what + " within " + Timeouts.named(deadline.whole());
	}

	public static IllegalStateException closed(String sequence) {
		return new IllegalStateException("The HiLo id generator is closed, so sequence " + Names.quoted(sequence)
				+ " issues no more ids. Save documents before the application context has closed.");
	}

	/**
	 * Returns a copy of a failure. Callers share a failure, and each throws an exception
	 * with its own stack trace.
	 */
	public static RuntimeException copyOf(Throwable failure) {
		Throwable cause = unwrapped(failure);
		String message = String.valueOf(cause.getMessage());
		if (cause instanceof HiLoMappingException refused) {
			return new HiLoMappingException(refused.description(), refused.action(), cause);
		}
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
	 * Returns the result of a future that has ended, or throws a copy of its failure.
	 */
	public static <T extends @Nullable Object> T join(CompletableFuture<T> ended) {
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
