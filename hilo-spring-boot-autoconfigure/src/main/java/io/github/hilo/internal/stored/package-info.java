/**
 * No stored document is overwritten, as far as MongoDB can tell: an id, text or number,
 * is issued for a place only after a find in that place. A place is a field of a
 * collection of a database.
 * <ol>
 * <li><b>Start.</b> A reservation that creates the counter sets it to at least the
 * highest number that documents have in the reservation's places
 * ({@link io.github.hilo.internal.stored.RangeCheck#highest}).</li>
 * <li><b>Check.</b> Every reservation asks in its places whether a document has an id of
 * the range ({@link io.github.hilo.internal.stored.RangeCheck#anyOf}). If so, the range
 * is discarded, and the next one lies above it. If not, the range is free in these places
 * from its first number on.</li>
 * <li><b>Find.</b> If a caller needs an id for another place, the sequence sends a find
 * for the numbers from the next one to the end of the range
 * ({@link io.github.hilo.internal.stored.RangeCheck#stored}). The sequence leaves out the
 * numbers up to the highest that is stored, and then the range is free in that place,
 * too.</li>
 * </ol>
 * A range has the places where it is free, and they end with it
 * ({@link io.github.hilo.internal.sequence}). After a discarded range the next one lies
 * above it, so reservations pass all stored documents in the end.
 */
@NullMarked
package io.github.hilo.internal.stored;

import org.jspecify.annotations.NullMarked;
