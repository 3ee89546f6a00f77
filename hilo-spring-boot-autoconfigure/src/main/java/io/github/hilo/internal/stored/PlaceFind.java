package io.github.hilo.internal.stored;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which numbers of a held range documents have in one place, before the
 * sequence issues numbers of the range there. Thread-safe: all fields are final.
 */
public final class PlaceFind {

	private static final Logger logger = LoggerFactory.getLogger(PlaceFind.class);

	private final Place place;

	private final StoredIdReader reader;

	private final StoredIdMemory memory;

	public PlaceFind(StoreCommands commands, StoredIdMemory memory, Deadline deadline, Place place) {
		this.place = place;
		this.reader = new StoredIdReader(commands, memory, List.of(place), deadline);
		this.memory = memory;
	}

	/**
	 * Returns the highest number of a range that a document has, or 0. One find asks
	 * whether there is any, and only then others ask for the highest.
	 */
	public CompletionStage<Long> stored(ReservedRange range) {
		return this.reader.explained(this.reader.anyOf(range, this.reader.places()).thenCompose((any) -> {
			if (any.isEmpty()) {
				return CompletableFuture.completedFuture(0L);
			}
			logger.warn(
					"{} is about to issue {} to {} for {}, which already has the id {}."
							+ " Numbers up to the highest that is stored of them are skipped",
					this.memory.describe(), range.min(), range.max(), this.place.describe(), any.get(0).describe());
			// The id that the first find met counts, even if its document is gone by now.
			return this.reader.highestOf(range).thenApply((highest) -> Math.max(range.min(), highest));
		}));
	}

}
