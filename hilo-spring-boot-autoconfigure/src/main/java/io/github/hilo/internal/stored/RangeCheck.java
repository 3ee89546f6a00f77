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
 * Checks whether stored documents have numbers of a range. If a check fails, the
 * reservation fails, because not known is not free. The next call tries again.
 * Thread-safe: both fields are final.
 */
public final class RangeCheck {

	private static final Logger logger = LoggerFactory.getLogger(RangeCheck.class);

	private final StoredIdReader reader;

	private final String serverPrefix;

	public RangeCheck(StoreCommands commands, CheckedSequence sequence, Deadline deadline, String serverPrefix,
			List<Place> places) {
		this.reader = new StoredIdReader(commands, sequence, places, deadline);
		this.serverPrefix = serverPrefix;
	}

	public List<Place> places() {
		return this.reader.places();
	}

	/**
	 * Finds the stored id with the highest number, for a counter that is created.
	 */
	public CompletionStage<Optional<StoredId>> highest(EarlyAnswers asked) {
		return asked.numbers()
			.thenCombine(this.reader.highestTexts(this.serverPrefix),
					(numbers, texts) -> Stream.concat(numbers.stream(), texts.stream())
						.filter((id) -> id.number() > 0)
						.max(Comparator.comparingLong(StoredId::number)));
	}

	/**
	 * Sends the finds that can be sent at the same time as a reservation.
	 * @param likely the range that the reservation gets if nobody else has reserved
	 * since, or an empty range if it is not known
	 */
	public EarlyAnswers askEarly(ReservedRange likely) {
		return new EarlyAnswers(this.reader.highestNumbers(likely.min() - 1), likely,
				this.reader.anyOf(likely, (likely.size() > 0) ? this.reader.texts() : List.of()));
	}

	public CompletionStage<Optional<StoredId>> anyOf(ReservedRange range, EarlyAnswers asked) {
		CompletionStage<List<StoredId>> texts = asked.isOf(range) ? asked.texts()
				: this.reader.anyOf(range, this.reader.texts());
		return asked.numbers()
			.thenCompose((highest) -> this.reader.anyOf(range, undecided(range, highest)))
			.thenCombine(texts, (numbers, found) -> Stream.concat(numbers.stream(), found.stream()).findFirst());
	}

	/**
	 * Finds the highest number of a held range that a document has in the only place, or
	 * 0. One find asks whether there is any, and only then others ask for the highest.
	 */
	public CompletionStage<Long> stored(ReservedRange range) {
		Place place = places().get(0);
		return this.reader.anyOf(range, places()).thenCompose((any) -> {
			if (any.isEmpty()) {
				return CompletableFuture.completedFuture(0L);
			}
			logger.warn(
					"{} is about to issue {} to {} for {}, which already has the id {}."
							+ " Numbers up to the highest that is stored of them are skipped",
					this.reader.sequence().described(), range.min(), range.max(), place.describe(),
					any.get(0).describe());
			// The id that the first find met counts, even if its document is gone by now.
			return this.reader.highestOf(range, place).thenApply((highest) -> Math.max(range.min(), highest));
		});
	}

	/**
	 * Returns the places of numbers that need a second find: those where a number above
	 * the start of the range is stored.
	 */
	private List<Place> undecided(ReservedRange range, List<StoredId> highest) {
		return highest.stream().filter((id) -> id.number() >= range.min()).map(StoredId::place).toList();
	}

	/**
	 * The answers of the finds that were sent at the same time as a reservation: the
	 * highest stored numbers above its floor, and the texts of the range that it was
	 * likely to get.
	 */
	public record EarlyAnswers(CompletionStage<List<StoredId>> numbers, ReservedRange likely,
			CompletionStage<List<StoredId>> texts) {

		boolean isOf(ReservedRange range) {
			return this.likely.min() == range.min() && this.likely.max() == range.max();
		}

	}

}
