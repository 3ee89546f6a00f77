/**
 * Nothing that is stored is overwritten, as far as MongoDB goes: an id, text or number,
 * is used in a place only after a find in that place has answered for it. A place is a
 * field of a collection of a database.
 * <ol>
 * <li><b>Start.</b> A reservation that creates the counter, or raises it, takes it above
 * the highest number that its places have
 * ({@link io.github.hilo.stored.CounterStart#raiseAbove}).</li>
 * <li><b>Check.</b> With every reservation its places are asked whether a document has
 * one of its ids. If so, the range is discarded and the counter raised as in 1
 * ({@link io.github.hilo.stored.RangeCheck#anyOf}).</li>
 * <li><b>Confirm.</b> A place remembers which numbers were found free there. An id whose
 * number it does not know is confirmed after it was taken and before it is used, by one
 * find from it to the end of its range. If a document has one, the rest of the range is
 * discarded and the counter raised as in 1
 * ({@link io.github.hilo.stored.Confirmation#confirm}).</li>
 * </ol>
 * So it does not matter when and how a place becomes known, and there is no time between
 * checking and taking in which one could. What a place remembers of numbers ends when
 * they are granted again after a return, and an answer that was asked for before that
 * adds nothing. An id that the check finds taken is one that the start counts with its
 * own number, so the counter gets above it and no range is refused for ever.
 */
@NullMarked
package io.github.hilo.stored;

import org.jspecify.annotations.NullMarked;
