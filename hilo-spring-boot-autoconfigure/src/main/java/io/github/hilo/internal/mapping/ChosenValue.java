package io.github.hilo.internal.mapping;

import io.github.hilo.internal.store.Place;

/**
 * An id or a number with which a document is about to be stored, in a field into which a
 * sequence issues.
 *
 * @param sequence the sequence
 * @param place the field
 * @param known whether a known type counts there, or the collection only has the
 * sequence's name
 */
public record ChosenValue(String sequence, Place place, Object value, boolean known) {
}
