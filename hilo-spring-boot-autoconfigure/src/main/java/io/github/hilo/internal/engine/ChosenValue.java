package io.github.hilo.internal.engine;

import io.github.hilo.internal.store.Place;

/**
 * An id or a number of a document that is about to be stored. Its field is one that a
 * sequence issues values for.
 *
 * @param value a {@code Long} or a {@code String}
 * @param known whether a type or only its name assigns the field to the sequence. A
 * sequence that a type uses excludes the value even if nobody has asked for the sequence
 * yet, and so in a new database, too
 */
public record ChosenValue(String sequence, Object value, Place.Known known) {
}
