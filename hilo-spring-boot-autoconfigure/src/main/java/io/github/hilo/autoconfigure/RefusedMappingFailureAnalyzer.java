package io.github.hilo.autoconfigure;

import io.github.hilo.HiLoMappingException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Makes Spring Boot print what is refused, and what to do, instead of a stack trace.
 */
final class RefusedMappingFailureAnalyzer extends AbstractFailureAnalyzer<HiLoMappingException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, HiLoMappingException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}
