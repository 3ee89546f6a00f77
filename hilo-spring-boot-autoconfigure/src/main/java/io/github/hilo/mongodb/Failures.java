package io.github.hilo.mongodb;

import java.util.Set;
import java.util.concurrent.CompletionException;

import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;

/**
 * What a command failed with.
 */
final class Failures {

	static final int TYPE_MISMATCH = 14;

	static final int DUPLICATE_KEY = 11000;

	/**
	 * What a server answers that another one may do better, or the same one soon:
	 * HostUnreachable, HostNotFound, MaxTimeMSExpired, NetworkTimeout,
	 * ShutdownInProgress, PrimarySteppedDown, ExceededTimeLimit, SocketException,
	 * NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange,
	 * NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary.
	 */
	private static final Set<Integer> PASSING = Set.of(6, 7, 50, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435,
			13436);

	private Failures() {
	}

	/**
	 * Finds the failure behind one that a future has wrapped.
	 */
	static Throwable causeOf(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	/**
	 * Whether a command took longer than we let it.
	 */
	static boolean isTimeout(Throwable failure) {
		Throwable cause = causeOf(failure);
		return cause instanceof MongoOperationTimeoutException || cause instanceof MongoExecutionTimeoutException;
	}

	/**
	 * Whether the same command may succeed in a moment: the server could not be reached,
	 * the connection broke, the primary changed, or the time was up. It may have been
	 * carried out.
	 */
	static boolean isPassing(Throwable failure) {
		Throwable cause = causeOf(failure);
		return cause instanceof MongoSocketException || cause instanceof MongoTimeoutException
				|| cause instanceof MongoConnectionPoolClearedException
				|| cause instanceof MongoServerUnavailableException || cause instanceof MongoWriteConcernException
				|| (cause instanceof MongoException ex && PASSING.contains(ex.getCode()));
	}

	static boolean hasCode(Throwable failure, int code) {
		return causeOf(failure) instanceof MongoException ex && ex.getCode() == code;
	}

}
