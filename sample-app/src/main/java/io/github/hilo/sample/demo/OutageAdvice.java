package io.github.hilo.sample.demo;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.mongodb.MongoException;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers 503 where MongoDB fails. The answer is in words of the shop's own: the driver's
 * name hosts and users, and are for the log.
 */
@RestControllerAdvice
class OutageAdvice {

	private static final Logger logger = LoggerFactory.getLogger(OutageAdvice.class);

	private static final int UNAUTHORIZED = 13;

	@ExceptionHandler({ DataAccessException.class, MongoException.class })
	ProblemDetail unavailable(RuntimeException failure, HttpMethod method) {
		String reason = reasonOf(failure) + (method.equals(HttpMethod.POST) ? whatOfTheNumber(failure) : "");
		logger.warn("{}: {}", reason, failure.getMessage());
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, reason);
	}

	/**
	 * A document gets its number before it is stored.
	 */
	private static String whatOfTheNumber(RuntimeException failure) {
		return (failure instanceof HiLoUnavailableException) ? ", so no number was issued"
				: isOfACounter(failure) ? "" : ", so a number may be lost";
	}

	private static boolean isOfACounter(RuntimeException failure) {
		return failure instanceof HiLoDocumentException || failure instanceof HiLoExhaustedException;
	}

	private static String reasonOf(RuntimeException failure) {
		if (isOfACounter(failure)) {
			return "A counter in MongoDB cannot be used";
		}
		List<Throwable> causes = Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause).toList();
		// The driver tells only in its text why it selected no server.
		String text = causes.toString();
		if (text.contains("MongoSecurityException")) {
			return "MongoDB refuses the login";
		}
		if (causes.stream()
			.anyMatch((cause) -> cause instanceof MongoException mongo && mongo.getCode() == UNAUTHORIZED)) {
			return "MongoDB refuses this shop's user";
		}
		return text.contains("ConnectException") ? "MongoDB refuses connections" : "MongoDB does not answer";
	}

}
