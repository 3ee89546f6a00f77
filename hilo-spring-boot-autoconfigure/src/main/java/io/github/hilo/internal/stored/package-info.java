/**
 * No stored document is overwritten, as far as MongoDB can tell: an id, text or number,
 * is issued for a place only after a find in that place. A place is a field of a
 * collection of a database.
 * <ol>
 * <li><b>Start.</b> A reservation that creates the counter begins above the highest
 * number that documents have in the places that are known
 * ({@link io.github.hilo.internal.stored.StoredIds#highest}).</li>
 * <li><b>Cover.</b> Before the sequence issues a number for a place, it sends a find for
 * the numbers from the next one to the end of the range
 * ({@link io.github.hilo.internal.stored.StoredIds#highestOf}). It leaves out the numbers
 * up to the highest that is stored, and then the range is free in that place.</li>
 * </ol>
 * A reservation knows nothing of that, and a find nothing of the counter. A range has the
 * places where it is free, and they end with it
 * ({@link io.github.hilo.internal.sequence}). If nothing of a range is left, the next one
 * is twice as large, so reservations pass all stored documents in the end.
 */
@NullMarked
package io.github.hilo.internal.stored;

import org.jspecify.annotations.NullMarked;
