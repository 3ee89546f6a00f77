package io.github.hilo.benchmarks;

import java.time.Duration;

import io.github.hilo.internal.sequence.HiLoSettings;

/**
 * Makes settings that differ in a few points from the defaults.
 */
final class Settings {

	private Settings() {
	}

	static HiLoSettings of(Duration timeout, int maxGrowth, boolean prefetch) {
		return of(timeout, maxGrowth, prefetch,
				new HiLoSettings.SequenceSettings(1, InMemory.INITIAL_SIZE, InMemory.MAX_SIZE, false, true));
	}

	static HiLoSettings of(Duration timeout, int maxGrowth, boolean prefetch, HiLoSettings.SequenceSettings own) {
		HiLoSettings defaults = HiLoSettings.DEFAULTS;
		return new HiLoSettings(defaults.nodeTag(), defaults.identityPartsSeparator(), timeout, maxGrowth, prefetch,
				(sequence) -> own);
	}

}
