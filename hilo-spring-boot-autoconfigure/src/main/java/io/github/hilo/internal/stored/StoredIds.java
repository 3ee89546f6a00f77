package io.github.hilo.internal.stored;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ids that documents have in the places of a sequence. A question that fails has no
 * answer, because not known is not free. Thread-safe: both fields are final.
 */
public final class StoredIds {

	private static final Logger logger = LoggerFactory.getLogger(StoredIds.class);

	private final CheckedSequence sequence;

	private final StoredIdReader reader;

	public StoredIds(StoreCommands commands, CheckedSequence sequence, Deadline deadline) {
		this.sequence = sequence;
		this.reader = new StoredIdReader(commands, sequence, deadline);
	}

	/**
	 * Finds the stored id with the highest number, for a counter that is created.
	 */
	public CompletionStage<Optional<StoredId>> highest(String serverPrefix) {
		List<Place> places = this.sequence.places();
		return this.reader.highestNumbers(places)
			.thenCombine(this.reader.highestTexts(places, serverPrefix),
					(numbers, texts) -> Stream.concat(numbers.stream(), texts.stream())
						.filter((id) -> id.number() > 0)
						.max(Comparator.comparingLong(StoredId::number)));
	}

	/**
	 * Finds the highest number of a range that a document has in a place, or 0. One find
	 * asks whether there is any, and only then others ask for the highest.
	 */
	public CompletionStage<Long> highestOf(ReservedRange range, Place place) {
		// Also for one place, because it refuses two counters for one field.
		List<Place> all = this.sequence.places();
		return this.reader.anyOf(range, place.equals(Place.ANYWHERE) ? all : List.of(place))
			.thenCompose((found) -> found.isEmpty() ? CompletableFuture.completedFuture(0L) : highestOf(range, found));
	}

	private CompletionStage<Long> highestOf(ReservedRange range, List<StoredId> found) {
		logger.warn(
				"{} is about to issue {} to {} for {}, which already has the id {}."
						+ " Numbers up to the highest that is stored of them are skipped",
				this.sequence.described(), range.min(), range.max(), found.get(0).place().describe(),
				found.get(0).describe());
		// The id that the first find met counts, even if its document is gone by now.
		return this.reader.highestOf(range, found.stream().map(StoredId::place).toList())
			.thenApply((highest) -> Math.max(range.min(), highest));
	}

}
