package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

import io.github.hilo.store.KnownPlaces;

/**
 * What the stores have to know of the configuration. Internal; the values were checked
 * where they were read.
 *
 * @param collection the name of the collection of the counter documents
 * @param idPrefix what precedes a sequence's name in a counter's {@code _id}
 * @param honourServerPrefix whether document ids carry the server prefix
 * @param identityPartsSeparator what stands between a sequence's name and a number
 * @param nodeTag tag appended to document ids, or an empty string
 * @param timeout how long after its beginning a check of stored ids that failed for a
 * lasting reason is not repeated, and the longest that a blocking caller waits for the
 * default database
 * @param checked whether the numbers of a sequence are checked against stored ids
 * @param named the sequences that have settings of their own
 * @param places where the numbers of a sequence are stored, as far as metadata says so
 * @hidden
 */
public record StoreSettings(String collection, String idPrefix, boolean honourServerPrefix,
		String identityPartsSeparator, String nodeTag, Duration timeout, Predicate<String> checked, Set<String> named,
		KnownPlaces places) {
}
