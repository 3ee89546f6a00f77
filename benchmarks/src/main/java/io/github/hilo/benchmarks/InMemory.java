package io.github.hilo.benchmarks;

import io.github.hilo.internal.engine.HiLoEngine;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.store.TimeSource;

/**
 * Generators with the usual settings, whose ranges come from a counter in memory.
 */
final class InMemory {

	static final long INITIAL_SIZE = 32;

	static final long MAX_SIZE = 1_048_576;

	private InMemory() {
	}

	static HiLoEngine engine(long initialSize, long maxSize, TimeSource time) {
		HiLoSettings defaults = Settings.DEFAULTS;
		return new HiLoEngine(
				new CountingStore(), Class::getSimpleName, Settings.of(defaults.timeout(), defaults.maxGrowth(),
						defaults.prefetch(), new HiLoSettings.SequenceSettings(1, initialSize, maxSize, false, true)),
				time, (event) -> {
				});
	}

	/**
	 * Tells how many reservations a sequence took so far.
	 */
	static long reservations(HiLoEngine engine, String sequence) {
		return engine.snapshot()
			.values()
			.stream()
			.mapToLong((sequences) -> sequences.containsKey(sequence) ? sequences.get(sequence).reservations() : 0)
			.sum();
	}

}
