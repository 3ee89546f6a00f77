package io.github.hilo.store;

import java.time.Duration;

/**
 * A request for a range. Internal.
 *
 * @param size how many numbers, at least 1
 * @param floor the range has to lie above it: the highest number that this process has
 * issued or still holds, or the initial value less one; at least 0
 * @param firstUse whether this process has issued no number of the sequence, so that a
 * missing counter is nothing to warn about
 * @param issued how many numbers this process has issued, or this copy of it
 * @param single whether it is a single number, or a block of a consecutive sequence, for
 * a caller that waits: nothing of it is held
 * @param timeout by when the store has to answer
 * @hidden
 */
public record RangeRequest(long size, long floor, boolean firstUse, long issued, boolean single, Duration timeout) {
}
