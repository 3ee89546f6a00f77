package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;

/**
 * Reserves ranges from the counters of one database, and returns unused numbers to them.
 * <p>
 * No method blocks, so blocking and reactive callers share one store. Every stage ends
 * with a result or a failure within the timeout of its request. A store returns a range
 * only if it is certain that the database keeps the reservation.
 */
public interface RangeStore {

	String database();

	/**
	 * Returns whether another store of this database sends its commands through the same
	 * client, so that what fails for one fails for both.
	 */
	default boolean hasClientOf(RangeStore other) {
		return this == other;
	}

	/**
	 * Returns whether the client of this store stays as long as the application.
	 * Otherwise a sequence that nobody uses lets the store go.
	 */
	default boolean isKept() {
		return true;
	}

	/**
	 * Returns the {@code _id} of the document that counts a sequence.
	 */
	String counterId(String sequence);

	/**
	 * Reserves a range above everything that was granted before, and above the request's
	 * floor. If the counter is missing, the range also lies above all stored numbers.
	 * @param repaired receives the cause each time the reservation repairs the counter
	 * @return the range, whose numbers may be stored; the stage can fail with
	 * {@link HiLoUnavailableException}, {@link HiLoDocumentException} or
	 * {@link io.github.hilo.HiLoExhaustedException}
	 */
	CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request, Consumer<CounterRepair> repaired);

	/**
	 * Returns the unissued end of a range to the counter, if nothing was granted after
	 * the range. A return that arrives late is harmless, because only the holder of the
	 * latest grant can lower the counter.
	 * @param unused can be issued no more
	 */
	CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused);

	/**
	 * Raises the counter to at least a floor. No return of a range that was reserved
	 * before can lower the counter again.
	 * @return where the counter stood then, at least at the floor; the stage can fail
	 * with {@link HiLoUnavailableException} or {@link HiLoDocumentException}
	 */
	CompletionStage<Long> raise(String sequence, long floor, Duration timeout);

	/**
	 * Finds the highest of some numbers of a range that a document has in a place, or 0.
	 */
	CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline);

	/**
	 * Finds the lowest of some numbers that a document has in a place, or 0. If ids of
	 * the place are texts, all numbers must have equally many digits.
	 * @param numbers may lie above what is reserved
	 */
	CompletionStage<Long> lowestStored(String sequence, Place place, ReservedRange numbers, Deadline deadline);

}
