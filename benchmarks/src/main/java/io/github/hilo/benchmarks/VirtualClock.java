package io.github.hilo.benchmarks;

import java.time.Instant;

import io.github.hilo.internal.store.TimeSource;

/**
 * A clock that a single thread moves, so that hours pass in a moment.
 */
final class VirtualClock implements TimeSource {

	private long nanos;

	@Override
	public Instant now() {
		return Instant.EPOCH.plusNanos(this.nanos);
	}

	@Override
	public long nanoTime() {
		return this.nanos;
	}

	void advance(long nanos) {
		this.nanos += nanos;
	}

	void moveTo(long nanos) {
		this.nanos = nanos;
	}

}
