package io.github.hilo.sample.embedded;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * The data file cannot be used.
 */
class DataFileException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	DataFileException(Path path, String reason, @Nullable Throwable cause) {
		super("The data file " + path + " cannot be used: " + reason + ".", cause);
	}

	/**
	 * Says at start-up what to do about it.
	 */
	static class Analyzer extends AbstractFailureAnalyzer<DataFileException> {

		@Override
		protected FailureAnalysis analyze(Throwable rootFailure, DataFileException cause) {
			return new FailureAnalysis(cause.getMessage(), """
					Stop the other shop if one runs on this file, or start this one with one of
					  --sample.data=FILE                       another file
					  --sample.data=memory                     no file; the data ends with the shop
					  --spring.mongodb.uri=mongodb://HOST:PORT a MongoDB server""", cause);
		}

	}

}
