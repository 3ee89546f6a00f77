/**
 * One counter in one process: who gets which of its numbers, and when.
 * {@link io.github.hilo.internal.sequence.SequenceState} decides,
 * {@link io.github.hilo.internal.sequence.RangeSequence} brings lock, time and I/O, and
 * {@link io.github.hilo.internal.sequence.RangeCursor} issues what is held.
 * <p>
 * Why no stored document is overwritten:
 * <ol>
 * <li>A caller with a place takes from a cursor only after it has seen the place in the
 * cursor's {@link io.github.hilo.internal.sequence.HeldRange}. Places are added there and
 * never removed.</li>
 * <li>A place is added with the range, whose reservation was checked there, or after a
 * find from the range's next number on. Before that, the cursor is sealed that would have
 * issued the numbers up to the highest that the find met.</li>
 * <li>So each number that a cursor can still issue lies above all that was stored in the
 * place when the find was sent.</li>
 * <li>A number that the application chooses later is in
 * {@link io.github.hilo.internal.sequence.LeftOut} before its document is stored, and a
 * cursor ends before it.</li>
 * </ol>
 */
@NullMarked
package io.github.hilo.internal.sequence;

import org.jspecify.annotations.NullMarked;
