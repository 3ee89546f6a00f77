package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.hilo.internal.text.DocumentIdFormat;

/**
 * The part of the configuration that the stores need. The values were checked when they
 * were read.
 *
 * @param idPrefix what precedes a sequence's name in its counter's {@code _id}
 * @param timeout {@code hilo.timeout}: the longest that a caller waits
 * @param checked whether stored ids are checked for a sequence
 * @param places returns where the numbers of a sequence are stored, according to the
 * types that are known now; throws an {@link IllegalStateException} if two counters would
 * issue the numbers of one place
 */
public record CounterSettings(String collection, String idPrefix, boolean honourServerPrefix, Duration timeout,
		Function<String, DocumentIdFormat> formats, Predicate<String> checked, Function<String, List<Place>> places) {
}
