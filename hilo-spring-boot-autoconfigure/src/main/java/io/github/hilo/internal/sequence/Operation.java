package io.github.hilo.internal.sequence;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.ReservedRange;

/**
 * A command that a {@link SequenceState} wants to send. At most one reservation or return
 * is in flight.
 */
sealed interface Operation {

	/**
	 * Returns the store of the caller who caused the operation.
	 */
	RangeStore store();

	/**
	 * Reserves a range.
	 *
	 * @param usualSize how many numbers the demand alone asks for, or 0 if the size says
	 * nothing about the demand
	 * @param lastArrival the last caller, by its arrival, that may be served from the
	 * range. Callers that arrive later may not, because a higher number may have been
	 * issued elsewhere before they asked. All that had arrived may, even after one of
	 * them has left
	 */
	record Reservation(RangeRequest request, long usualSize, long lastArrival, RangeStore store) implements Operation {

		static final long ANYBODY = Long.MAX_VALUE;

	}

	/**
	 * Asks which numbers of a range, from a first one on, are stored in a place. A find
	 * changes nothing, so it can be in flight beside other operations.
	 *
	 * @param ahead how far it looks beyond the range
	 */
	record Find(HeldRange range, Place place, long first, Windows.LookAhead ahead, long startedNanos, Deadline deadline,
			RangeStore store) implements Operation {

		ReservedRange numbers() {
			return upTo(this.range.range().max());
		}

		ReservedRange numbersAhead() {
			return upTo(this.ahead.upTo());
		}

		private ReservedRange upTo(long last) {
			ReservedRange whole = this.range.range();
			return new ReservedRange(this.first, last, whole.serverPrefix(), whole.grants());
		}

	}

	record Return(RangeReturn numbers, RangeStore store) implements Operation {
	}

	/**
	 * The answer to a find.
	 *
	 * @param highest the highest number of the range that a document has, or 0
	 * @param freeUpTo the last number that no document has, with all between it and the
	 * range, or 0 if the find has not looked ahead
	 */
	record Found(long highest, long freeUpTo) {
	}

}
