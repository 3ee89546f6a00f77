package io.github.hilo.data;

import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.mapping.MissingValue;
import io.github.hilo.sequence.RangeSequence;
import io.github.hilo.store.RangeStore;
import org.jspecify.annotations.Nullable;

/**
 * Refuses numbers that do not fit an int, and takes none once one did not.
 *
 * @param missing what the entity lacks
 * @param ints the sequence, or {@code null} if its numbers need not fit an int
 */
record IntLimit(MissingValue missing, @Nullable RangeSequence ints) {

	/**
	 * Finds the limit of a value.
	 * @throws HiLoExhaustedException if a number was too high before
	 */
	static IntLimit of(MissingValue missing, HiLoEngine engine, RangeStore store) {
		RangeSequence ints = missing.isInt() ? engine.sequence(store, missing.sequence()) : null;
		if (ints != null) {
			ints.requireInts();
		}
		return new IntLimit(missing, ints);
	}

	/**
	 * Answers what was issued, if it fits.
	 * @throws HiLoExhaustedException if it does not
	 */
	<T> T fitting(T issued) {
		try {
			this.missing.requireFit(issued);
			return issued;
		}
		catch (HiLoExhaustedException ex) {
			throw (this.ints != null) ? this.ints.refuseInts(ex) : ex;
		}
	}

}
