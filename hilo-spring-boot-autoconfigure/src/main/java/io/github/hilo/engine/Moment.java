package io.github.hilo.engine;

import java.time.Instant;

/**
 * When an event happens, and where the engine stands in its life by then.
 *
 * @param mode the engine's mode
 * @param nanos the time since some arbitrary origin, in nanoseconds; only differences
 * mean anything
 * @param time the time of day
 */
record Moment(EngineMode mode, long nanos, Instant time) {

	/**
	 * Refuses whoever asks a closed engine for something.
	 * @param sequence the sequence's name
	 */
	void requireOpen(String sequence) {
		if (this.mode == EngineMode.CLOSED) {
			throw ReservationFailure.closed(sequence);
		}
	}

}
