package io.github.hilo.stored;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.text.Timeouts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms that a number that was issued is free in the place that it goes to, where no
 * reservation has checked that: one find from the number to the end of its range, or for
 * the next texts, whose answer counts for all of them.
 *
 * @param place where the number goes
 * @param reader reads the ids that are stored there
 * @param start finds what the counter must be raised to if one is taken
 * @param raise raises the counter
 */
record PlaceCheck(Place place, StoredIdReader reader, StartCheck start, LongFunction<CompletionStage<Long>> raise) {

	private static final Logger logger = LoggerFactory.getLogger(PlaceCheck.class);

	/**
	 * Confirms a number.
	 * @param issued the number, or the document id
	 * @return whether it is free
	 */
	CompletionStage<Boolean> confirm(Object issued) {
		StoredIds ids = this.reader.ids();
		ids.requireReady(List.of(this.place));
		long number = (issued instanceof Long own) ? own : ids.numberOf((String) issued);
		// One of another form comes from a generator of the application.
		return (number <= 0) ? find(issued, number, number).thenApply(List::isEmpty)
				: ids.of(this.place).joinOrBegin(number, () -> begin(issued, ids.rangeOf(number), number));
	}

	private FreeNumbers.Find begin(Object issued, ReservedRange range, long number) {
		StoredIds ids = this.reader.ids();
		FreeNumbers free = ids.of(this.place);
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
					ids.describe(), number, last, this.place.describe(), stored.get(0).describe());
			return this.start.raiseAbove(number, this.reader.highestNumbers(number),
					(target) -> this.raise.apply(Math.min(target, HiLoIdGenerator.MAX_FLOOR))
						.thenApply((max) -> new Raised(range.max(), max)),
					() -> {
					})
				.thenApply((reached) -> false);
		}, ids.executor());
		return new FreeNumbers.Find(number, last, result);
	}

	/**
	 * Asks for a number and those up to another one. An answer that never comes must not
	 * be waited for by those who join.
	 */
	private CompletableFuture<List<StoredId>> find(Object issued, long number, long last) {
		List<Place> places = List.of(this.place);
		StoredIds ids = this.reader.ids();
		CompletableFuture<List<StoredId>> found = ids.described(this.place.text()
				? this.reader.textsIn(places,
						Stream.concat(Stream.of((String) issued),
								this.reader.textsOf(ids.rangeOf(number).serverPrefix(), number + 1, last)))
				: this.reader.numbersIn(places, number, last), RangeCheck.WAYS_OUT)
			.toCompletableFuture();
		ids.after(this.reader.deadlines().get().leftToWait(), () -> found.completeExceptionally(
				new HiLoUnavailableException("no answer from MongoDB within " + Timeouts.named(ids.timeout()))));
		return found;
	}

}
