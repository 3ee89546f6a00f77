package io.github.hilo.internal.check;

import java.util.List;
import java.util.Set;

import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.LineLimit;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * What is known of a sequence whose ids are checked.
 *
 * @param described the sequence and its database, for messages
 * @param warnings the places and collections of this database for which a warning was
 * logged; thread-safe
 * @param lines limits how often it is logged that stored ids were met
 */
public record CheckedSequence(String name, String described, CounterSettings settings, TimeSource time,
		Set<Object> warnings, LineLimit lines) {

	public static final String PROPERTY = "hilo.check-stored-ids";

	DocumentIdFormat format() {
		return this.settings.formats().apply(this.name);
	}

	/**
	 * Counts excluded numbers of a place for the log. Returns how many were excluded
	 * since the last line about the place if a line is due now, or 0 if none is due.
	 */
	long excludedToLog(Place place, long excluded) {
		return this.lines.due(List.of(this.name, place), excluded);
	}

	boolean isFirstWarning(Object warning) {
		return this.warnings.add(warning);
	}

}
