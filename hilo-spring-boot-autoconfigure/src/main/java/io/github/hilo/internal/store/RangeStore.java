package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;

/**
 * Where the ranges of one database come from and go back to.
 * <p>
 * No method blocks: blocking and reactive callers share the answer. A store answers every
 * request with a result or a failure, within the timeout that the request states and a
 * tenth of it more, in which it tidies up. It never answers a range of which it is not
 * certain that the database will keep it.
 */
public interface RangeStore {

	String database();

	/**
	 * Returns the {@code _id} of the document that counts a sequence.
	 */
	String document(String sequence);

	/**
	 * Reserves a range above everything that was granted before, and above the request's
	 * floor.
	 * @return the range and the places where it is free, or
	 * {@link HiLoUnavailableException}, {@link HiLoDocumentException},
	 * {@link io.github.hilo.HiLoExhaustedException}, or
	 * {@link io.github.hilo.HiLoMappingException} if two counters would issue the ids of
	 * one place
	 */
	CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request, Consumer<CounterRepair> repaired);

	/**
	 * Returns the unissued end of a range, if nothing was granted since. One that arrives
	 * late is harmless: only the holder of the latest grant can lower the counter.
	 * @param unused the numbers to return; the caller has made sure that none of them can
	 * still be issued
	 */
	CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused);

	/**
	 * Raises the counter, and sees to it that no return of a range that was reserved
	 * before can take it back. It is never lowered.
	 * @return where the counter stood then, at least at the floor, or
	 * {@link HiLoUnavailableException} or {@link HiLoDocumentException}
	 */
	CompletionStage<Long> raise(String sequence, long floor, Duration timeout);

	/**
	 * Finds the highest of some numbers of a range that a document of a place has.
	 * @return that number, or 0
	 */
	CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline);

}
