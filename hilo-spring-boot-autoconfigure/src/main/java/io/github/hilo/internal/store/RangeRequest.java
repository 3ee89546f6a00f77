package io.github.hilo.internal.store;

/**
 * A request for a range.
 *
 * @param size how many numbers are requested, at least 1
 * @param least how many numbers suffice once a command had to be repeated, which may have
 * used up numbers
 * @param floor the range must lie above this number: the highest that this process has
 * issued or still holds, or the initial value less one; at least 0
 * @param firstUse whether this process has used no number of the sequence yet, so that a
 * missing counter is nothing to warn about
 * @param places the sequence's places; a counter that is created starts above what they
 * have
 * @param deadline by when commands must have ended; after that, none is sent
 */
public record RangeRequest(long size, long least, long floor, boolean firstUse, Places places, Deadline deadline) {
}
