package io.github.hilo.benchmarks;

import java.time.Duration;

import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * Makes settings that differ in a few points from the defaults.
 */
final class Settings {

	static final HiLoSettings DEFAULTS = new HiLoSettings((sequence) -> DocumentIdFormat.of(sequence, "/", "A", 1),
			Duration.ofSeconds(10), 2, true,
			(sequence) -> new HiLoSettings.SequenceSettings(1, 32, 1_048_576, false, true));

	private Settings() {
	}

	static HiLoSettings padded(int digits) {
		HiLoSettings defaults = DEFAULTS;
		return new HiLoSettings((sequence) -> DocumentIdFormat.of(sequence, "/", "A", digits), defaults.timeout(),
				defaults.maxGrowth(), defaults.prefetch(), defaults.sequences());
	}

	static HiLoSettings of(Duration timeout, int maxGrowth, boolean prefetch) {
		return of(timeout, maxGrowth, prefetch,
				new HiLoSettings.SequenceSettings(1, InMemory.INITIAL_SIZE, InMemory.MAX_SIZE, false, true));
	}

	static HiLoSettings of(Duration timeout, int maxGrowth, boolean prefetch, HiLoSettings.SequenceSettings own) {
		HiLoSettings defaults = DEFAULTS;
		return new HiLoSettings(defaults.formats(), timeout, maxGrowth, prefetch, (sequence) -> own);
	}

}
