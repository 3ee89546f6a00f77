package io.github.hilo.benchmarks;

import java.time.Duration;

import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * Makes settings that differ in a few points from the defaults.
 */
final class Settings {

	private Settings() {
	}

	static HiLoSettings padded(int digits) {
		HiLoSettings defaults = HiLoSettings.DEFAULTS;
		return new HiLoSettings((sequence) -> DocumentIdFormat.of(sequence, "/", "A", digits), defaults.timeout(),
				defaults.maxGrowth(), defaults.prefetch(), defaults.sequences());
	}

	static HiLoSettings of(Duration timeout, int maxGrowth, boolean prefetch) {
		return of(timeout, maxGrowth, prefetch,
				new HiLoSettings.SequenceSettings(1, InMemory.INITIAL_SIZE, InMemory.MAX_SIZE, false, true));
	}

	static HiLoSettings of(Duration timeout, int maxGrowth, boolean prefetch, HiLoSettings.SequenceSettings own) {
		HiLoSettings defaults = HiLoSettings.DEFAULTS;
		return new HiLoSettings(defaults.formats(), timeout, maxGrowth, prefetch, (sequence) -> own);
	}

}
