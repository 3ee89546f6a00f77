package io.github.hilo.stored;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.mongodb.Deadline;
import io.github.hilo.mongodb.StoreCommands;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.text.Timeouts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms that a number that was issued is free in the place that it goes to, where no
 * reservation has checked that: one find from the number to the end of its range, or for
 * the next texts, whose answer counts for all of them. Internal.
 *
 * @hidden
 */
public final class Confirmation {

	private static final Logger logger = LoggerFactory.getLogger(Confirmation.class);

	private final Place place;

	private final StoredIdReader reader;

	private final StoredIdMemory memory;

	private final LongFunction<CompletionStage<Long>> raise;

	public Confirmation(StoreCommands commands, StoredIdMemory memory, Deadline deadline, Place place,
			LongFunction<CompletionStage<Long>> raise) {
		this.place = place;
		this.reader = new StoredIdReader(commands, memory, List.of(place), () -> deadline);
		this.memory = memory;
		this.raise = raise;
	}

	public CompletionStage<Boolean> confirm(Object issued) {
		this.memory.requireReady(this.reader.places());
		long number = (issued instanceof Long own) ? own : this.memory.numberOf((String) issued);
		// One of another form comes from a generator of the application.
		return (number <= 0) ? find(issued, number, number).thenApply(List::isEmpty) : this.memory.of(this.place)
			.joinOrBegin(number, () -> begin(issued, this.memory.rangeOf(number), number));
	}

	private FreeIntervals.Find begin(Object issued, ReservedRange range, long number) {
		FreeIntervals free = this.memory.of(this.place);
		long last = this.place.text() ? Math.min(range.max(), number + free.nextTexts() - 1) : range.max();
		// Not on this thread, which holds a lock that whoever raises may need.
		CompletableFuture<Boolean> result = find(issued, number, last).thenComposeAsync((stored) -> {
			if (stored.isEmpty()) {
				free.confirmed(number, last);
				return CompletableFuture.completedFuture(true);
			}
			logger.warn(
					"{} is about to issue {} to {} for {}, which already has the id {}."
							+ " Numbers up to the highest that is stored there are skipped",
					this.memory.describe(), number, last, this.place.describe(), stored.get(0).describe());
			return new CounterStart(this.reader, true)
				.raiseAbove(number, range.max(), this.reader.highestNumbers(number),
						(target) -> this.raise.apply(Math.min(target, HiLoIdGenerator.MAX_FLOOR)))
				.thenApply((reached) -> false);
		}, this.memory.executor());
		return new FreeIntervals.Find(number, last, result);
	}

	/**
	 * Asks for a number and those up to another one. An answer that never comes must not
	 * be waited for by those who join.
	 */
	private CompletableFuture<List<StoredId>> find(Object issued, long number, long last) {
		CompletionStage<List<StoredId>> stored = this.place.text()
				? this.reader.textsIn(this.reader.places(),
						Stream.concat(Stream.of((String) issued),
								this.reader.textsOf(this.memory.rangeOf(number).serverPrefix(), number + 1, last)))
				: this.reader.numbersIn(this.reader.places(), number, last);
		CompletableFuture<List<StoredId>> found = this.reader.explained(stored, StoredIdReader.WAYS_OUT)
			.toCompletableFuture();
		this.memory.time()
			.after(this.reader.deadline().get().leftToWait(), this.memory.executor(),
					() -> found.completeExceptionally(new HiLoUnavailableException(
							"no answer from MongoDB within " + Timeouts.named(this.memory.settings().timeout()))));
		return found;
	}

}
