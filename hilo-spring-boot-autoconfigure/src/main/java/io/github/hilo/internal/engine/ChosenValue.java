package io.github.hilo.internal.engine;

import io.github.hilo.internal.store.Place;

/**
 * An id or a number of a document that is about to be stored, in a field for which a
 * sequence may issue values.
 *
 * @param value a {@code Long} or a {@code String}
 * @param known whether a type assigns the field to the sequence, or only the collection's
 * name. A sequence that a type uses excludes the value even if nobody has asked for the
 * sequence yet, and so in a new database, too
 */
public record ChosenValue(String sequence, Object value, Place.Known known) {
}
