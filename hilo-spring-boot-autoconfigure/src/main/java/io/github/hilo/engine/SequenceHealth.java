package io.github.hilo.engine;

import org.jspecify.annotations.Nullable;

/**
 * Whether a sequence can issue ids. Internal.
 *
 * @param remaining how many numbers are held
 * @param outage why no id can be issued, or {@code null} if ids can: the last reservation
 * failed, and nothing is left of the range before
 * @hidden
 */
public record SequenceHealth(long remaining, SequenceSnapshot.@Nullable Failure outage) {

	/**
	 * Tells whether ids can be issued.
	 * @return {@code true} if there is no outage
	 */
	public boolean isAvailable() {
		return this.outage == null;
	}

}
