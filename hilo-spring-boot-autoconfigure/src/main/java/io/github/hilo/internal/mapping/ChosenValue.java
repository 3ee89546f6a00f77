package io.github.hilo.internal.mapping;

/**
 * An id or a number of a document that is about to be stored. Its field is one that a
 * sequence issues values for.
 *
 * @param value a {@code Long} or a {@code String}
 * @param mapped whether metadata or a save names the sequence for that field; otherwise
 * the collection only has the sequence's name
 */
public record ChosenValue(String sequence, Object value, boolean mapped) {
}
