package io.github.hilo.internal.mapping;

/**
 * An id or a number with which a document is about to be stored, in a field into which a
 * sequence issues.
 *
 * @param sequence the sequence
 * @param known whether a known type counts there, or the collection only has the
 * sequence's name
 */
public record ChosenValue(String sequence, Object value, boolean known) {
}
