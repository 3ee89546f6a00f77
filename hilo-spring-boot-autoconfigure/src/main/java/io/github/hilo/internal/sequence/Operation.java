package io.github.hilo.internal.sequence;

import java.time.Duration;

import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;

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
	 * @param lastArrival the last caller, by its arrival, that may be served from it
	 * @param places where its range will be free; tells it from every other, also from
	 * one that asks for the same
	 */
	record Reservation(RangeRequest request, long usualSize, long lastArrival, FreePlaces places) implements Operation {

		static final long ANYBODY = Long.MAX_VALUE;

		/**
		 * Makes a reservation of a range that is held, for whoever comes.
		 */
		static Reservation ofRange(RangeRequest request, long usualSize, FreePlaces places) {
			return new Reservation(request, usualSize, ANYBODY, places);
		}

		/**
		 * Makes a reservation for one caller. If that one leaves, others may be served
		 * from it that had come by now. Not one that comes later: a higher number may
		 * have been issued elsewhere before it asked.
		 */
		static Reservation forOne(RangeRequest request, long lastArrival, FreePlaces places) {
			return new Reservation(request, 0, lastArrival, places);
		}

	}

	/**
	 * Returns unused numbers.
	 */
	record Return(RangeReturn unused) implements Operation {
	}

	/**
	 * Reads the counter, to find out whether an outage is over. It changes nothing, so it
	 * may be under way beside another operation.
	 *
	 * @param timeout by when the store has to answer
	 */
	record Probe(SequenceSnapshot.Failure outage, Duration timeout) implements Operation {
	}

}
