package io.github.hilo.internal.store;

import java.time.Instant;

/**
 * The clock of the engine. Tests and simulations run the same code with a clock of their
 * own.
 */
public interface TimeSource {

	TimeSource SYSTEM = new TimeSource() {
	};

	default Instant now() {
		return Instant.now();
	}

	default long nanoTime() {
		return System.nanoTime();
	}

}
