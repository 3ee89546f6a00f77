package io.github.hilo.stored;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.mongodb.StoreCommands;
import io.github.hilo.store.Deadline;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms that an id that was issued is free in the place that it goes to, where no
 * reservation has checked that: one find from it to the end of its range, whose answer
 * counts for all of them. The find has a time of its own: those that come at the same
 * time share it, and each waits for it as long as it may itself. Internal.
 *
 * @hidden
 */
public final class Confirmation {

	private static final Logger logger = LoggerFactory.getLogger(Confirmation.class);

	private final Place place;

	private final StoredIdReader reader;

	private final StoredIdMemory memory;

	private final Deadline deadline;

	private final LongFunction<CompletionStage<Long>> raise;

	public Confirmation(StoreCommands commands, StoredIdMemory memory, Deadline deadline, Place place,
			LongFunction<CompletionStage<Long>> raise) {
		this.place = place;
		this.reader = new StoredIdReader(commands, memory, List.of(place), () -> deadline);
		this.memory = memory;
		this.deadline = deadline;
		this.raise = raise;
	}

	public CompletionStage<Boolean> confirm(Object issued) {
		this.memory.requireReady(this.reader.places());
		ReservedRange range = this.memory.rangeOf(issued);
		if (range == null) {
			return this.reader.explained(this.reader.any(issued)).thenApply(List::isEmpty);
		}
		long number = this.memory.numberOf(issued, range);
		return this.memory.of(this.place).joinOrBegin(range, number, () -> begin(range, number));
	}

	private FreeIntervals.Find begin(ReservedRange range, long first) {
		ReservedRange rest = new ReservedRange(first, range.max(), range.serverPrefix(), List.of());
		// Not on this thread, which holds a lock that whoever raises may need.
		CompletableFuture<Boolean> result = this.reader.explained(this.reader.anyOf(rest, this.reader.places()))
			.toCompletableFuture()
			.thenComposeAsync((stored) -> {
				if (!stored.isEmpty()) {
					return raiseAboveStored(rest, stored.get(0)).thenApply((reached) -> false);
				}
				this.memory.confirmed(this.place, first, range);
				return CompletableFuture.completedFuture(true);
			}, this.memory.executor());
		return new FreeIntervals.Find(range, first, this.deadline, result);
	}

	private CompletionStage<Long> raiseAboveStored(ReservedRange rest, StoredId stored) {
		logger.warn(
				"{} is about to issue {} to {} for {}, which already has the id {}."
						+ " Numbers up to the highest that is stored there are skipped",
				this.memory.describe(), rest.min(), rest.max(), this.place.describe(), stored.describe());
		return new CounterStart(this.reader, rest.serverPrefix(), true).raiseAbove(rest.min(), rest.max(),
				this.reader.highestNumbers(rest.min()),
				(target) -> this.raise.apply(Math.min(target, HiLoIdGenerator.MAX_FLOOR)));
	}

}
