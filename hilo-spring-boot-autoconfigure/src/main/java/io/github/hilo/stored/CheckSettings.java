package io.github.hilo.stored;

import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

import io.github.hilo.store.KnownPlaces;

/**
 * What the checks of stored ids have to know of the configuration. Internal; the values
 * were checked where they were read.
 *
 * @param identityPartsSeparator what stands between a sequence's name and a number
 * @param nodeTag tag appended to document ids, or an empty string
 * @param timeout the longest that a find may take, and how long after its beginning one
 * that failed for a lasting reason is not repeated
 * @param checked whether the numbers of a sequence are checked
 * @param named the sequences that have settings of their own
 * @param places where the numbers of a sequence are stored, as far as metadata says so
 * @hidden
 */
public record CheckSettings(String identityPartsSeparator, String nodeTag, Duration timeout, Predicate<String> checked,
		Set<String> named, KnownPlaces places) {
}
