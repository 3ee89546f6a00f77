package io.github.hilo.metrics;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;

/**
 * Why a reservation failed, as {@value HiLoMetrics#KIND_TAG} tells it.
 */
enum FailureKind {

	UNAVAILABLE, DOCUMENT, EXHAUSTED;

	static FailureKind of(RuntimeException failure) {
		if (failure instanceof HiLoDocumentException) {
			return DOCUMENT;
		}
		return (failure instanceof HiLoExhaustedException) ? EXHAUSTED : UNAVAILABLE;
	}

}
