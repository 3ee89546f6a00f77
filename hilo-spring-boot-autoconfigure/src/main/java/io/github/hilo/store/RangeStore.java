package io.github.hilo.store;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongFunction;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Where the ranges of one database come from and go back to. Internal.
 * <p>
 * No method blocks: blocking and reactive callers share the answer. A store answers every
 * request with a result or a failure, within the timeout that the request states and a
 * tenth of it more, in which it tidies up. It never answers a range of which it is not
 * certain that the database will keep it.
 *
 * @hidden
 */
public interface RangeStore {

	/**
	 * Returns the database's name, which tells its counters from those of another.
	 */
	String database();

	/**
	 * Returns the {@code _id} of the document that counts a sequence.
	 */
	String document(String sequence);

	/**
	 * Reserves a range above everything that was granted before, and above the request's
	 * floor.
	 * @param repaired told of each raise of the counter, even after the answer
	 * @return the range, or {@link HiLoUnavailableException},
	 * {@link HiLoDocumentException}, {@link io.github.hilo.HiLoExhaustedException}, or
	 * {@link RefusedMappingException} if two counters would issue the ids of one place
	 */
	CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request, Consumer<CounterRepair> repaired);

	/**
	 * Returns the unissued end of a range, if nothing was granted since. One that arrives
	 * late is harmless: only the holder of the latest grant can lower the counter.
	 * @param unused the numbers to return; the caller has made sure that none of them can
	 * still be issued
	 * @return whether the numbers went back, or {@link HiLoUnavailableException} if that
	 * is not known
	 */
	CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused);

	/**
	 * Raises the counter, and sees to it that no return of a range that was reserved
	 * before can take it back. It is never lowered.
	 * @param floor what the counter must reach, at least 1
	 * @param timeout how long commands may take
	 * @return where the counter stood then, at least at the floor, or
	 * {@link HiLoUnavailableException} or {@link HiLoDocumentException}
	 */
	CompletionStage<Long> raise(String sequence, long floor, Duration timeout);

	/**
	 * Finds what is known of the numbers that are free in a place; always the same
	 * object. A reservation checks its numbers there if some of the range before were
	 * used there.
	 */
	FreeNumbers freeNumbers(String sequence, Place place);

	/**
	 * Confirms that no document of a place has a number that was issued. If one has a
	 * number from it to the end of its range, the counter is raised above the highest
	 * that is stored there.
	 * @param issued the number, or the document id
	 * @param timeout how long a find may take that others do not share already
	 * @param raise raises the counter to a floor, and discards what is held up to it;
	 * even after the answer
	 * @return whether it is free, or {@link HiLoUnavailableException} if that could not
	 * be read
	 */
	CompletionStage<Boolean> confirm(String sequence, Place place, Object issued, Duration timeout,
			LongFunction<CompletionStage<Long>> raise);

	/**
	 * Finds out whether the database answers, be it with an error.
	 * @param sequence the name of a sequence that has a counter in it
	 * @param timeout the longest that it may take
	 * @return whether there was an answer; never a failure
	 */
	CompletionStage<Boolean> answers(String sequence, Duration timeout);

	/**
	 * Reads a counter, on the primary, and changes nothing.
	 * @return the highest number granted to any client, or {@code null} if there is no
	 * counter; {@link HiLoUnavailableException}, or {@link HiLoDocumentException} if it
	 * is malformed
	 */
	CompletionStage<@Nullable Long> counter(String sequence, Duration timeout);

}
