package io.github.hilo.internal.check;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the ids that documents have in the places of a sequence: where a counter starts,
 * and which numbers of a range must be excluded. If one command fails, there is no
 * answer, because what is not known is not free. Thread-safe: both fields are final.
 */
public final class StoredIds {

	private static final Logger logger = LoggerFactory.getLogger(StoredIds.class);

	private final CheckedSequence sequence;

	private final StoredIdReader reader;

	public StoredIds(Commands commands, CheckedSequence sequence, Deadline deadline) {
		this.sequence = sequence;
		this.reader = new StoredIdReader(commands, sequence, deadline);
	}

	/**
	 * Finds the stored id with the highest number, for a counter that is created.
	 */
	public CompletionStage<Optional<StoredId>> highest(List<Place> places, String serverPrefix) {
		return this.reader.highest(places, serverPrefix)
			.thenApply((found) -> found.stream().max(Comparator.comparingLong(StoredId::number)));
	}

	/**
	 * Finds the lowest of some numbers that a document has in a place, or 0.
	 */
	public CompletionStage<Long> lowestOf(ReservedRange numbers, Place place) {
		return this.reader.lowestOf(numbers, place);
	}

	/**
	 * Finds the highest number of a range that a document has in a place, or 0. One find
	 * asks whether there is any, and only then others ask for the highest.
	 */
	public CompletionStage<Long> highestOf(ReservedRange range, Place place) {
		return this.reader.anyOf(range, place)
			.thenCompose((met) -> met.map((id) -> highestOf(range, id))
				.orElseGet(() -> CompletableFuture.completedFuture(0L)));
	}

	private CompletionStage<Long> highestOf(ReservedRange range, StoredId met) {
		return this.reader.highestOf(range, met).thenApply((highest) -> {
			long excluded = this.sequence.excludedToLog(met.place(), highest + 1 - range.min());
			if (excluded > 0) {
				logger.warn(
						"{} is about to issue {} to {} for {}, which already has the id {}. Numbers up to {} are"
								+ " excluded, {} in all since the last line of this kind",
						this.sequence.described(), range.min(), range.max(), met.place().describe(), met.describe(),
						highest, excluded);
			}
			return highest;
		});
	}

}
