package io.github.hilo.store;

import java.time.Duration;

/**
 * Shows time limits in messages. Internal.
 *
 * @hidden
 */
public final class Timeouts {

	private static final String PROPERTY = "hilo.timeout";

	private Timeouts() {
	}

	/**
	 * Names the property that limits a wait, and its value.
	 * @param timeout the value
	 * @return such as {@code hilo.timeout (10s)}
	 */
	public static String named(Duration timeout) {
		return PROPERTY + " (" + readable(timeout) + ")";
	}

	/**
	 * Writes a duration as a property takes it.
	 * @param duration any duration
	 * @return the number of the largest unit that needs no fraction, such as {@code 90s}
	 */
	public static String readable(Duration duration) {
		if (duration.toNanosPart() % 1_000 != 0) {
			return duration.toNanos() + "ns";
		}
		if (duration.toNanosPart() % 1_000_000 != 0) {
			return duration.toNanos() / 1_000 + "us";
		}
		if (duration.toNanosPart() != 0) {
			return duration.toMillis() + "ms";
		}
		long seconds = duration.toSeconds();
		if (seconds == 0 || seconds % 60 != 0) {
			return seconds + "s";
		}
		if (seconds % 3_600 != 0) {
			return duration.toMinutes() + "m";
		}
		return (seconds % 86_400 != 0) ? duration.toHours() + "h" : duration.toDays() + "d";
	}

}
