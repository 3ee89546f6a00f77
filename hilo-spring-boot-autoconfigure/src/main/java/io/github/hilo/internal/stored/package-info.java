/**
 * Nothing that is stored is overwritten, as far as MongoDB goes: an id, text or number,
 * is issued into a place only after a find in that place has answered for it. A place is
 * a field of a collection of a database.
 * <ol>
 * <li><b>Start.</b> A reservation that creates the counter takes it above the highest
 * number that its places have
 * ({@link io.github.hilo.internal.stored.RangeCheck#highest}).</li>
 * <li><b>Check.</b> With every reservation its places are asked whether a document has
 * one of its ids. If so, the range is discarded, and the next one lies above it
 * ({@link io.github.hilo.internal.stored.RangeCheck#anyOf}). If not, the range knows
 * itself to be free there from its first number on.</li>
 * <li><b>Cover.</b> Where a range is not known to be free, the sequence waits for one
 * find from its next number to the range's end
 * ({@link io.github.hilo.internal.stored.Confirmation#stored}), and issues from behind
 * the highest number that is stored.</li>
 * </ol>
 * What is known lives in the range and ends with it
 * ({@link io.github.hilo.internal.sequence}), so numbers that went back are asked for
 * again with the range that has them next. Each range that is taken is followed by one
 * above it, so no range is refused for ever.
 */
@NullMarked
package io.github.hilo.internal.stored;

import org.jspecify.annotations.NullMarked;
