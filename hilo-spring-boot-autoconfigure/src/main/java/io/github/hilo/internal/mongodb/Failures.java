package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoOperationTimeoutException;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoMappingException;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;

/**
 * Classifies the failures of commands, and describes them for messages.
 */
public final class Failures {

	private static final int UNAUTHORIZED = 13;

	private static final int ATLAS_ERROR = 8000;

	// The end of an error text that quotes the refused command. The group ends with the
	// command's name.
	private static final Pattern QUOTED_COMMAND = Pattern.compile("(?s)(execute command \\{ ?\\w+).*");

	private static final Pattern NO_PERMISSION = Pattern.compile("not (authorized|allowed to do action)");

	/**
	 * BadValue and TypeMismatch: an operator was applied to a field of another type.
	 */
	public static final Set<Integer> OF_THE_DOCUMENT = Set.of(2, 14);

	// Errors of a server that cannot tell whether it has carried out a command before:
	// IncompleteTransactionHistory, TransactionTooOld, and faults in the record of the
	// first attempt.
	private static final Set<Integer> OF_THE_RECORD = Set.of(217, 225, 40606, 40607, 40608, 40609, 40610, 40611, 40612,
			40613, 40638);

	public static final Set<Integer> DUPLICATE_KEY = Set.of(11000);

	private Failures() {
	}

	public static Throwable causeOf(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	public static boolean isTimeout(Throwable failure) {
		Throwable cause = causeOf(failure);
		return cause instanceof MongoOperationTimeoutException || cause instanceof MongoExecutionTimeoutException;
	}

	public static boolean isNotSent(Throwable failure) {
		return causeOf(failure) instanceof CommandNotSentException;
	}

	/**
	 * Returns whether a command that failed may have been carried out all the same. That
	 * is so for all failures of the driver but a {@link MongoCommandException}: a server
	 * that refuses a command has not carried it out.
	 */
	public static boolean isOutcomeUnknown(Throwable failure) {
		Throwable cause = causeOf(failure);
		return cause instanceof MongoException && !(cause instanceof MongoCommandException);
	}

	public static RuntimeException answerOfAnotherCommand() {
		return new AnswerOfAnotherCommandException();
	}

	/**
	 * Returns whether a write got no answer of its own: the answer shows another write,
	 * or the server reports an error in its record of repeated commands. Either the write
	 * was not carried out, or its result is lost.
	 */
	public static boolean isWithoutOwnAnswer(Throwable failure) {
		return isAnswerOfAnotherCommand(failure) || hasCode(failure, OF_THE_RECORD);
	}

	/**
	 * Returns whether the document that answers a write was left by another write. The
	 * message of the exception says how that can happen.
	 */
	public static boolean isAnswerOfAnotherCommand(Throwable failure) {
		return causeOf(failure) instanceof AnswerOfAnotherCommandException;
	}

	/**
	 * Returns whether the user may not send a command. MongoDB Atlas reports some of
	 * these failures with a code of its own, which stands for other errors, too, so the
	 * message decides then.
	 */
	public static boolean isUnauthorized(Throwable failure) {
		return causeOf(failure) instanceof MongoException ex && (ex.getCode() == UNAUTHORIZED
				|| (ex.getCode() == ATLAS_ERROR && NO_PERMISSION.matcher(String.valueOf(ex.getMessage())).find()));
	}

	public static boolean hasCode(Throwable failure, Set<Integer> codes) {
		return causeOf(failure) instanceof MongoException ex && codes.contains(ex.getCode());
	}

	/**
	 * Describes a failure for a message, the innermost cause first. Of an error of the
	 * server only the name and the text are shown, because the driver's message contains
	 * the whole reply, and so the command, its session and its signature.
	 */
	public static String describe(Throwable failure) {
		Throwable outer = causeOf(failure);
		Throwable innermost = outer;
		while (innermost.getCause() != null) {
			innermost = innermost.getCause();
		}
		String reason = reasonOf(innermost, innermost != outer);
		return Names.printableText(
				(innermost == outer) ? reason : reason + "; " + Objects.requireNonNullElse(outer.getMessage(), ""));
	}

	private static String reasonOf(Throwable innermost, boolean nested) {
		String type = innermost.getClass().getSimpleName();
		if (innermost instanceof MongoCommandException command) {
			String name = command.getErrorCodeName();
			return (name.isEmpty() ? "code " + command.getErrorCode() : name) + ": "
					+ Names.printable(QUOTED_COMMAND.matcher(command.getErrorMessage()).replaceFirst("$1 … }"));
		}
		String message = innermost.getMessage();
		return (message == null) ? type : nested ? message + " (" + type + ")" : message;
	}

	/**
	 * Translates a failure into one of the library's exceptions.
	 * @param ran how long the operation has waited for answers
	 */
	public static RuntimeException translate(Throwable failure, String whatFailed, Duration ran) {
		Throwable cause = causeOf(failure);
		if (cause instanceof HiLoDocumentException || cause instanceof HiLoExhaustedException
				|| cause instanceof HiLoMappingException) {
			return (RuntimeException) cause;
		}
		String late = isTimeout(cause)
				? ": no answer from MongoDB after " + Timeouts.readable(ran.truncatedTo(ChronoUnit.MILLIS)) : "";
		return new HiLoUnavailableException(whatFailed + late + ": "
				+ ((cause instanceof HiLoUnavailableException) ? String.valueOf(cause.getMessage()) : describe(cause)),
				cause);
	}

	private static final class AnswerOfAnotherCommandException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		AnswerOfAnotherCommandException() {
			super("MongoDB answered it with the outcome of another command, as it does if two copies of one MongoClient"
					+ " are in use. Create the MongoClient after a snapshot of the process is restored; otherwise"
					+ " MongoDB ignores the application's own writes, too");
		}

	}

}
