package io.github.hilo.internal.check;

import java.util.Set;

import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * What is known of a sequence whose ids are checked.
 *
 * @param described the sequence and its database, for messages
 * @param warnings the places and collections of this database for which a warning was
 * logged; thread-safe
 */
public record CheckedSequence(String name, String described, CounterSettings settings, TimeSource time,
		Set<Object> warnings) {

	public static final String PROPERTY = "hilo.check-stored-ids";

	DocumentIdFormat format() {
		return this.settings.formats().apply(this.name);
	}

	/**
	 * Returns whether a warning was not logged yet, about a collection that may not be
	 * read or a place whose find was slow.
	 */
	boolean isFirstWarning(Object warning) {
		return this.warnings.add(warning);
	}

}
