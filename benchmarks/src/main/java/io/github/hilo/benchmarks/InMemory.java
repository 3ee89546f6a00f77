package io.github.hilo.benchmarks;

import java.time.Duration;

import io.github.hilo.engine.DefaultHiLoIdGenerator;
import io.github.hilo.engine.HiLoSettings;
import io.github.hilo.store.TimeSource;

/**
 * Generators with the usual settings, whose ranges come from a counter in memory.
 */
final class InMemory {

	static final long INITIAL_SIZE = 32;

	static final long MAX_SIZE = 1_048_576;

	static final Duration GROW_WITHIN = Duration.ofSeconds(30);

	static final Duration SHRINK_AFTER = Duration.ofSeconds(60);

	private InMemory() {
	}

	static DefaultHiLoIdGenerator generator(long initialSize, long maxSize, TimeSource time) {
		HiLoSettings settings = new HiLoSettings("A", "/", Duration.ofSeconds(10), GROW_WITHIN, SHRINK_AFTER, 2, true,
				(name) -> new HiLoSettings.SequenceSettings(1, initialSize, maxSize));
		return new DefaultHiLoIdGenerator(new CountingStore(), Class::getSimpleName, settings, time);
	}

	/**
	 * Tells how many reservations a sequence took so far.
	 */
	static long reservations(DefaultHiLoIdGenerator generator, String sequence) {
		return generator.snapshot()
			.values()
			.stream()
			.mapToLong((sequences) -> sequences.containsKey(sequence) ? sequences.get(sequence).reservations() : 0)
			.sum();
	}

}
