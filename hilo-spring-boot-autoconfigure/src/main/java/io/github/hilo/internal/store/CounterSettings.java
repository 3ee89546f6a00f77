package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.function.Function;

import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * The part of the configuration that the stores need. The values were checked when they
 * were read.
 *
 * @param idPrefix what precedes a sequence's name in its counter's {@code _id}
 * @param timeout {@code hilo.timeout}: the longest that a caller waits
 */
public record CounterSettings(String collection, String idPrefix, boolean honourServerPrefix, Duration timeout,
		Function<String, DocumentIdFormat> formats) {
}
