package io.github.hilo.data;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Returns the ranges that this process holds of a sequence. Internal: the seam between
 * the mapping metadata and whatever issues the numbers.
 *
 * @hidden
 */
@FunctionalInterface
public interface RangeRelease {

	/**
	 * For a generator that is not ours: it holds no range that we know of.
	 */
	RangeRelease NONE = (database, sequence, places) -> CompletableFuture.completedFuture(null);

	/**
	 * Returns what is unused of ranges for which too few places were checked, without
	 * blocking.
	 * @param database the sequence's database, or {@code null} for every one that has it
	 * @param sequence the sequence's name
	 * @param places how many places a range must cover to be kept
	 * @return what ends once no number is left of other ranges, or fails if that takes
	 * longer than {@code hilo.timeout}
	 */
	CompletionStage<@Nullable Void> release(@Nullable String database, String sequence, int places);

}
