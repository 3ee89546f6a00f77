package io.github.hilo.counter;

import java.time.Duration;

import io.github.hilo.stored.CheckSettings;

/**
 * What the stores have to know of the configuration. Internal; the values were checked
 * where they were read.
 *
 * @param collection the name of the collection of the counter documents
 * @param idPrefix what precedes a sequence's name in a counter's {@code _id}
 * @param honourServerPrefix whether document ids carry the server prefix
 * @param timeout the longest that a blocking caller waits for the default database, and
 * that confirming a number may take
 * @param checks what the checks of stored ids have to know
 * @hidden
 */
public record StoreSettings(String collection, String idPrefix, boolean honourServerPrefix, Duration timeout,
		CheckSettings checks) {
}
