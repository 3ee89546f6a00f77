package io.github.hilo.internal.metrics;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoMappingException;

/**
 * Why a reservation failed, as {@value HiLoMetrics#KIND_TAG} tells it.
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
