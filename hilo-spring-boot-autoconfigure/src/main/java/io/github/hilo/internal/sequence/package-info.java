/**
 * One counter in one process: who gets which of its numbers, and when.
 * {@link io.github.hilo.internal.sequence.SequenceState} decides,
 * {@link io.github.hilo.internal.sequence.RangeSequence} adds the lock, time and I/O, and
 * {@link io.github.hilo.internal.sequence.RangeCursor} issues numbers without a lock.
 * <p>
 * Why no stored document is overwritten:
 * <ol>
 * <li>Each {@link io.github.hilo.internal.sequence.HeldRange} has the places where its
 * numbers are free. Places are added and never removed.</li>
 * <li>A caller whose number goes to a place first looks whether the cursor's range has
 * that place, and then takes from that same cursor.</li>
 * <li>A range has a place from the beginning if its reservation was checked there, and no
 * document had a number of the range. Another place is added after a find for the numbers
 * from the next one on. Before the sequence adds the place, it seals the cursor and
 * leaves out the numbers up to the highest that the find met.</li>
 * <li>So when the find or the check was sent, no document of the place had a number that
 * a cursor of the range can still issue.</li>
 * <li>Before the application stores a document with a number of its choice, the sequence
 * adds the number to {@link io.github.hilo.internal.sequence.LeftOut} and ends the cursor
 * that could issue it. Every later cursor ends before that number or begins behind it. A
 * number beyond the next range is not added, because the check of a later range finds the
 * document.</li>
 * </ol>
 */
@NullMarked
package io.github.hilo.internal.sequence;

import org.jspecify.annotations.NullMarked;
