package io.github.hilo.internal.metrics;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoMappingException;

/**
 * The kinds of failed reservations, which are the values of the tag
 * {@value HiLoMetrics#KIND_TAG}.
 */
enum FailureKind {

	UNAVAILABLE, DOCUMENT, EXHAUSTED, MAPPING;

	static FailureKind of(RuntimeException failure) {
		if (failure instanceof HiLoDocumentException) {
			return DOCUMENT;
		}
		if (failure instanceof HiLoMappingException) {
			return MAPPING;
		}
		return (failure instanceof HiLoExhaustedException) ? EXHAUSTED : UNAVAILABLE;
	}

}
