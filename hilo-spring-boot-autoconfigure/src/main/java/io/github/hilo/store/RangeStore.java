package io.github.hilo.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Where the ranges of one database come from and go back to. Internal.
 * <p>
 * No method blocks: blocking and reactive callers share the answer. A store answers every
 * request within the timeout that the request states, with a result or a failure. It
 * never answers a range of which it is not certain that the database will keep it.
 *
 * @hidden
 */
public interface RangeStore {

	/**
	 * Returns the database's name.
	 * @return the name, which tells the counters of one database from those of another
	 */
	String database();

	/**
	 * Returns the name of the document that counts a sequence.
	 * @param sequence the sequence's name
	 * @return the counter document's {@code _id}
	 */
	String document(String sequence);

	/**
	 * Reserves a range above everything that was granted before, and above the request's
	 * floor.
	 * @param sequence the sequence's name
	 * @param request how many numbers, above which floor, by when
	 * @return the range, or {@link HiLoUnavailableException} or
	 * {@link HiLoDocumentException}
	 */
	CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request);

	/**
	 * Gives the unissued end of a range back, if nothing was granted since. A repetition
	 * is harmless: only the holder of the latest grant can lower the counter.
	 * @param sequence the sequence's name
	 * @param unused the numbers to return; the caller has made sure that none of them can
	 * still be issued
	 * @return whether the numbers went back, or why that is not known and whether it may
	 * be tried again
	 */
	CompletionStage<ReturnOutcome> returnUnused(String sequence, RangeReturn unused);

	/**
	 * Lets time pass.
	 * @param length how long
	 * @return what ends after that time, on a thread that may send commands
	 */
	default CompletionStage<Boolean> pause(Duration length) {
		return new CompletableFuture<Boolean>().completeOnTimeout(true, length.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Raises the counter, and sees to it that no return of a range that was reserved
	 * before can take it back. It is never lowered.
	 * @param sequence the sequence's name
	 * @param floor what the counter has to reach, at least 1
	 * @param timeout by when the store has to answer
	 * @return where the counter stood then, at least at the floor, or
	 * {@link HiLoUnavailableException} or {@link HiLoDocumentException}
	 */
	CompletionStage<Long> raise(String sequence, long floor, Duration timeout);

	/**
	 * Returns the ids that the documents of the database have.
	 * @return the ids, to be read
	 */
	StoredIds storedIds();

	/**
	 * Reads a counter, on the primary, and changes nothing.
	 * @param sequence the sequence's name
	 * @param timeout the longest that it may take
	 * @return the highest number granted to any client, or {@code null} if there is no
	 * counter; {@link HiLoUnavailableException}, or {@link HiLoDocumentException} if it
	 * is malformed
	 */
	CompletionStage<@Nullable Long> counter(String sequence, Duration timeout);

}
