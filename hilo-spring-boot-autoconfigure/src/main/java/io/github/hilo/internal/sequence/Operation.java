package io.github.hilo.internal.sequence;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;

/**
 * What a {@link SequenceState} wants to be sent. At most one reservation or return is in
 * flight.
 */
sealed interface Operation {

	/**
	 * Reserves a range.
	 *
	 * @param usualSize how many numbers it would ask for if no block was waiting, or 0
	 * where it says nothing of the demand
	 * @param lastArrival the last caller, by its arrival, that may be served from it. If
	 * one leaves that it is made for alone, others may be that had come by now. Not one
	 * that comes later: a higher number may have been issued elsewhere before it asked
	 */
	record Reservation(RangeRequest request, long usualSize, long lastArrival) implements Operation {

		static final long ANYBODY = Long.MAX_VALUE;

	}

	/**
	 * Asks for the stored numbers of a range from one on. It changes nothing, so it may
	 * be under way beside others.
	 */
	record Find(HeldRange range, Place place, long first, Deadline deadline) implements Operation {

		ReservedRange numbers() {
			return this.range.range().part(this.first, this.range.range().max());
		}

	}

	/**
	 * Returns unused numbers.
	 */
	record Return(RangeReturn unused) implements Operation {
	}

}
