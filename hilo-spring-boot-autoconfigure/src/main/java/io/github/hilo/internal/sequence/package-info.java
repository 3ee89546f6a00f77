/**
 * One counter in one process: who gets which of its numbers, and when.
 * {@link io.github.hilo.internal.sequence.SequenceState} decides,
 * {@link io.github.hilo.internal.sequence.RangeSequence} brings lock, time and I/O, and
 * {@link io.github.hilo.internal.sequence.RangeCursor} issues what is held.
 */
@NullMarked
package io.github.hilo.internal.sequence;

import org.jspecify.annotations.NullMarked;
