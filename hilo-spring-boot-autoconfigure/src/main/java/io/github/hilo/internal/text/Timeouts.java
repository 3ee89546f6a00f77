package io.github.hilo.internal.text;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Writes time limits and durations for messages.
 */
public final class Timeouts {

	private static final String PROPERTY = "hilo.timeout";

	private static final List<String> UNITS = List.of("ns", "us", "ms", "s", "m", "h", "d");

	// By unit, how many of them make the next one.
	private static final int[] PER_UNIT = { 1_000, 1_000, 1_000, 60, 60, 24 };

	private Timeouts() {
	}

	/**
	 * Returns the property that limits a wait, with its value.
	 */
	public static String named(Duration timeout) {
		return PROPERTY + " (" + readable(timeout) + ")";
	}

	/**
	 * Returns a duration in the form of a property's value.
	 */
	public static String readable(Duration duration) {
		long value = duration.toNanos();
		int unit = 0;
		while (unit < UNITS.size() - 1 && value != 0 && value % PER_UNIT[unit] == 0) {
			value /= PER_UNIT[unit++];
		}
		return (value != 0) ? value + UNITS.get(unit) : "0s";
	}

	/**
	 * Returns a duration in whole seconds, milliseconds or microseconds.
	 */
	public static String spent(Duration time) {
		return readable(time.truncatedTo((time.toSeconds() > 9) ? ChronoUnit.SECONDS
				: (time.toMillis() > 0) ? ChronoUnit.MILLIS : ChronoUnit.MICROS));
	}

}
