/**
 * Nothing that is stored is overwritten, as far as MongoDB goes: an id, text or number,
 * is used in a place only after a find in that place has answered for it. A place is a
 * field of a collection of a database.
 * <ol>
 * <li><b>Start.</b> A reservation that creates the counter, or raises it, takes it above
 * the highest number that its places have
 * ({@link io.github.hilo.internal.stored.CounterRaise#raiseAbove}).</li>
 * <li><b>Check.</b> With every reservation its places are asked whether a document has
 * one of its ids. If so, the range is discarded and the counter raised as in 1
 * ({@link io.github.hilo.internal.stored.RangeCheck#anyOf}). If not, the range knows
 * itself to be free there from its first number on.</li>
 * <li><b>Confirm.</b> An id is taken together with its range. If the range does not know
 * it to be free where it goes, it is confirmed before it is used, by one find from it to
 * the range's end ({@link io.github.hilo.internal.stored.Confirmation#stored}). If
 * documents have some of these, ids are issued from behind them.</li>
 * <li><b>Set.</b> An unissued number under which the application itself stores a document
 * is confirmed again when it is reached, whatever is known of its range.</li>
 * </ol>
 * What is known lives in the range and ends with it. So it does not matter when and how a
 * place becomes known, and numbers that went back are asked for again with the range that
 * has them next. An id that the check finds taken is one that the start counts with its
 * own number, so the counter gets above it and no range is refused for ever.
 */
@NullMarked
package io.github.hilo.internal.stored;

import org.jspecify.annotations.NullMarked;
