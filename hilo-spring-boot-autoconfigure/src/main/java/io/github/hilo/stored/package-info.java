/**
 * Nothing that is stored is overwritten, as far as MongoDB goes: a number goes to a place
 * only out of a range that was checked in that place. A place is a field of a collection
 * of a database.
 * <ol>
 * <li><b>Start.</b> A reservation that creates the counter, or raises it, takes it above
 * the highest number that its places have
 * ({@link io.github.hilo.stored.CounterStart#raiseAbove}).</li>
 * <li><b>Beside.</b> With every reservation its places are asked at the same time. If a
 * document has one of its numbers, the range is discarded and the counter raised as in 1
 * ({@link io.github.hilo.stored.RangeCheck#anyOf}).</li>
 * <li><b>Confirm.</b> A place remembers which numbers were found free there. A number
 * that it does not know is confirmed after it was taken and before it is used, by one
 * find from it to the end of its range. If a document has one, the rest of the range is
 * discarded and the counter raised as in 1
 * ({@link io.github.hilo.stored.Confirmation#confirm}).</li>
 * </ol>
 * So it does not matter when and how a place becomes known, and there is no time between
 * checking and taking in which one could. What a place remembers ends where a range
 * begins that is granted again after a return. Of texts, a place that the first
 * reservation checked remembers all: the counter starts above them, and the first 32 that
 * the process issues are asked for.
 */
@NullMarked
package io.github.hilo.stored;

import org.jspecify.annotations.NullMarked;
