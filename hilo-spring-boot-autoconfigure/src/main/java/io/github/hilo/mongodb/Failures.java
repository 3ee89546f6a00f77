package io.github.hilo.mongodb;

import java.util.concurrent.CompletionException;

import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoOperationTimeoutException;

/**
 * What a command failed with.
 */
final class Failures {

	static final int TYPE_MISMATCH = 14;

	static final int DUPLICATE_KEY = 11000;

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

	static boolean hasCode(Throwable failure, int code) {
		return causeOf(failure) instanceof MongoException ex && ex.getCode() == code;
	}

}
