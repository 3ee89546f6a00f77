package io.github.hilo.sample;

import io.github.hilo.HiLoUnavailableException;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers 503 while the database is away.
 */
@RestControllerAdvice
class OutageAdvice {

	@ExceptionHandler
	ProblemDetail noDatabase(DataAccessResourceFailureException ex) {
		return unavailable("The database does not answer.");
	}

	@ExceptionHandler
	ProblemDetail noRange(HiLoUnavailableException ex) {
		return unavailable(String.valueOf(ex.getMessage()));
	}

	private static ProblemDetail unavailable(String reason) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, reason);
	}

}
