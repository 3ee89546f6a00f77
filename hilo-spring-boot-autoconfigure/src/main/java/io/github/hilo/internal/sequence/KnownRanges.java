package io.github.hilo.internal.sequence;

import java.util.List;

import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a sequence at one moment, published as a whole for those that need no
 * lock.
 *
 * @param next the ranges that follow, if they were reserved already
 * @param recent the ranges that were reserved lately, the last one first
 * @param reserving the reservation in flight, if there is one
 * @param reservations how many were answered so far
 */
record KnownRanges(RangeCursor current, List<HeldRange> next, List<HeldRange> recent,
		Operation.@Nullable Reservation reserving, long reservations) {

	/**
	 * The application stores a document of its own with a number: whoever reaches that
	 * number asks for it.
	 */
	void set(Place place, long number) {
		if (this.reserving != null && number > this.reserving.request().floor()) {
			this.reserving.places().in(place).set(number);
		}
		if (this.current.mayTake(number)) {
			this.current.held().places().in(place).set(number);
		}
		for (HeldRange range : this.next) {
			if (range.holds(number)) {
				range.places().in(place).set(number);
			}
		}
	}

}
