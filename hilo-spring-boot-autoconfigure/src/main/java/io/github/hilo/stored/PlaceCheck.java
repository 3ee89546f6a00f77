package io.github.hilo.stored;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.Place;
import io.github.hilo.store.ReservedRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Confirms that a number that was issued is free in the place that it goes to, where no
 * reservation has checked that: one find from the number to the end of its range, or for
 * the next texts, whose answer counts for all of them.
 *
 * @param place where the number goes
 * @param reader reads the ids that are stored there
 * @param raise raises the counter above them: takes a floor and the highest numbers above
 * it
 */
record PlaceCheck(Place place, StoredIdReader reader,
		BiFunction<Long, CompletionStage<List<StoredId>>, CompletionStage<Long>> raise) {

	private static final Logger logger = LoggerFactory.getLogger(PlaceCheck.class);

	/**
	 * Confirms a number.
	 * @param issued the number, or the document id
	 * @return 0 if it is free, or else what the counter has at least reached
	 */
	CompletionStage<Long> confirm(Object issued) {
		StoredIds ids = this.reader.ids();
		ids.requireReady(List.of(this.place));
		// A text of another form comes from a generator of the application.
		long number = (issued instanceof Long own) ? own : Math.max(1, ids.format().numberIn((String) issued));
		return ids.of(this.place).joinOrBegin(number, () -> begin(issued, ids.rangeOf(number), number));
	}

	private FreeNumbers.Find begin(Object issued, ReservedRange range, long number) {
		FreeNumbers free = this.reader.ids().of(this.place);
		long last = this.place.text() ? Math.min(range.max(), number + free.nextTexts() - 1) : range.max();
		CompletionStage<List<StoredId>> found = this.place.text()
				? this.reader.textsIn(List.of(this.place),
						Stream.concat(Stream.of((String) issued),
								this.reader.textsOf(range.serverPrefix(), number + 1, last)))
				: this.reader.numbersIn(List.of(this.place), number, last);
		CompletableFuture<Long> result = this.reader.ids()
			.described(found, RangeCheck.WAYS_OUT)
			.thenCompose((stored) -> {
				if (stored.isEmpty()) {
					free.confirmed(number, last);
					return CompletableFuture.completedFuture(0L);
				}
				logger.warn(
						"Numbers {} to {} of {} are discarded: {} already has the id {}."
								+ " Its counter is raised above the highest number that is stored",
						number, range.max(), this.reader.ids().describe(), this.place.describe(),
						stored.get(0).describe());
				return this.raise.apply(number, this.reader.highestNumbers(number))
					.thenApply((reached) -> Math.min(reached, HiLoIdGenerator.MAX_FLOOR));
			})
			.toCompletableFuture();
		return new FreeNumbers.Find(number, last, result);
	}

}
