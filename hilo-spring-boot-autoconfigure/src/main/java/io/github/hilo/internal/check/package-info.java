/**
 * No stored document is overwritten, as far as MongoDB can tell: an id, text or number,
 * is issued into a place only from a range that is covered there. A place is a field of a
 * collection of a database.
 * <ol>
 * <li><b>Start.</b> A counter that is created starts above the highest number that the
 * places of its sequence have ({@link io.github.hilo.internal.check.StoredIds#highest}).
 * This is the only question that a reservation asks, once in the life of a counter.</li>
 * <li><b>Cover.</b> Before a sequence issues numbers of a range into a place, it sends a
 * find: which is the highest number, from the next one to the end of the range, that a
 * document has there ({@link io.github.hilo.internal.check.StoredIds#highestOf})? The
 * numbers up to that one are excluded, and the range is covered in the place. A caller
 * without a place needs a range that is covered in all places that are known. A find of a
 * consecutive sequence looks further, and covers the ranges of the next second, too
 * ({@link io.github.hilo.internal.check.StoredIds#lowestOf}).</li>
 * </ol>
 * Covering alone protects what is stored. So whoever loses the race to create a counter
 * leaves it where another client has created it, however low. The range remembers where
 * it is covered, and the memory ends with the range
 * ({@link io.github.hilo.internal.sequence}). If a find leaves too little of a range, the
 * next one is twice as large, so the sequence passes all stored documents in the end.
 */
@NullMarked
package io.github.hilo.internal.check;

import org.jspecify.annotations.NullMarked;
