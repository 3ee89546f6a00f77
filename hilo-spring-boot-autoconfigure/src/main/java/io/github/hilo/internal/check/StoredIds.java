package io.github.hilo.internal.check;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the ids that documents have in the places of a sequence: where a counter starts,
 * and which numbers of a range must be excluded. If one command fails, there is no
 * answer, because what is not known is not free. Ids are read by the index of
 * {@code _id}, or of another field if the application has created one. A <em>text</em> is
 * an id such as {@code orders/33-A}. Two commands find the start of a counter that is
 * about to be created:
 * <ol>
 * <li>the highest number, up to {@link HiLoIdGenerator#MAX_NUMBER}, the highest that a
 * counter reaches: <pre>
 * find({_id: {$gte: 1, $lte: MAX_NUMBER}}, {_id: 1}).sort({_id: -1}).limit(1)
 * </pre> A comparison with a number matches numbers only.</li>
 * <li>the highest number in texts, which an aggregate finds ({@link TextNumbers}).</li>
 * </ol>
 * Two others cover a range in a place:
 * <ol>
 * <li>whether a document has an id of the range: <pre>
 * find({_id: {$gte: 33, $lte: 64}}, {_id: 1}).limit(1)
 * find({$and: [{_id: {$gte: "orders/33", $lt: "orders/64\\u{10FFFF}"}},
 *              {_id: {$regex: "^orders/[0-9]{2}-A\\z"}}]}, {_id: 1}).limit(1)
 * </pre> For texts the query has one condition for each number of digits, joined by
 * {@code $or}. An index alone can answer the query. MongoDB also reads the shorter and
 * longer ids that sort between those of the range. If no stored id is higher, these are
 * about a ninth of the range's size. The query has no collation, so that an index with
 * the collection's own collation can answer it. The upper bound ends with the last of all
 * characters, so every id with the highest number lies below it.</li>
 * <li>if so, the highest of these ids: a find for each condition, with the sort of the
 * first command.</li>
 * </ol>
 * A consecutive sequence sends another one before these, with the sort {@code {_id: 1}}:
 * the lowest number from its range on. If that lies above the range, the range is
 * covered.
 */
public record StoredIds(Commands commands, CheckedSequence sequence, Deadline deadline) {

	private static final String SWITCH_OFF = "set " + CheckedSequence.PROPERTY + " to false for this sequence";

	private static final Logger logger = LoggerFactory.getLogger(StoredIds.class);

	// InvalidNamespace (73), and names that together are too long (10080).
	// Such a collection cannot exist.
	private static final Set<Integer> INVALID_NAMES = Set.of(73, 10080);

	// Limits the connections of one check, because a sequence can have any number of
	// places.
	private static final int AT_ONCE = 8;

	// Slower than any find that an index answers.
	private static final Duration SLOW = Duration.ofSeconds(1);

	/**
	 * Finds the stored id with the highest number, for a counter that is created. Texts
	 * count in places of numbers, too: Spring Data reads the text "33" as 33, and
	 * replaces that document when it saves an entity with this id.
	 */
	public CompletionStage<Optional<StoredId>> highest(List<Place> places, String serverPrefix) {
		Stream<Command> numbers = places.stream()
			.filter((place) -> place.form() == IdForm.NUMBER)
			.map((place) -> () -> find(place,
					PlaceQueries.highest(place, PlaceQueries.bounds(1, HiLoIdGenerator.MAX_NUMBER))));
		Stream<Command> texts = places.stream()
			.map((place) -> TextNumbers.of(place, this.sequence.format(), serverPrefix))
			.map((reader) -> () -> explained(reader.place(), reader,
					this.commands
						.aggregate(reader.place().collection(), reader.place().path(), reader.pipeline(), this.deadline)
						.thenApply(reader::highestOf)));
		return sendAll(Stream.concat(numbers, texts).toList())
			.thenApply((found) -> found.stream().max(Comparator.comparingLong(StoredId::number)));
	}

	/**
	 * Finds the lowest of some numbers that a document has in a place, rounded down, or
	 * 0. If the found id has no number, it is the first one, because it may be any.
	 * @param numbers have equally many digits, if ids of the place are texts
	 */
	public CompletionStage<Long> lowestOf(ReservedRange numbers, Place place) {
		return find(place, PlaceQueries.lowest(place, conditions(numbers, place).get(0)))
			.thenApply((found) -> found.map((id) -> Math.max(numbers.min(), numberOf(id, numbers))).orElse(0L));
	}

	/**
	 * Finds the highest number of a range that a document has in a place, or 0. One find
	 * asks whether there is any, and only then others ask for the highest.
	 */
	public CompletionStage<Long> highestOf(ReservedRange range, Place place) {
		return find(place, PlaceQueries.any(place, conditions(range, place))).thenCompose(
				(met) -> met.map((id) -> highestOf(range, id)).orElseGet(() -> CompletableFuture.completedFuture(0L)));
	}

	/**
	 * Finds the highest number in the place where an id was met. For texts there is one
	 * find for each condition. What was met counts, even if its document is gone by now.
	 */
	private CompletionStage<Long> highestOf(ReservedRange range, StoredId met) {
		Place place = met.place();
		return sendAll(conditions(range, place).stream()
			.<Command>map((condition) -> () -> find(place, PlaceQueries.highest(place, condition)))
			.toList()).thenApply((found) -> {
				long highest = Stream.concat(Stream.of(met), found.stream())
					.mapToLong((id) -> numberOf(id, range))
					.max()
					.orElseThrow();
				warnOfExcluded(range, met, highest);
				return highest;
			});
	}

	private void warnOfExcluded(ReservedRange range, StoredId met, long highest) {
		long excluded = this.sequence.excludedToLog(met.place(), highest + 1 - range.min());
		if (excluded > 0) {
			logger.warn(
					"{} is about to issue {} to {} for {}, which already has the id {}. Numbers up to {} are"
							+ " excluded, {} in all since the last line of this kind",
					this.sequence.described(), range.min(), range.max(), met.place().describe(), met.describe(),
					highest, excluded);
		}
	}

	private List<BsonDocument> conditions(ReservedRange range, Place place) {
		return PlaceQueries.conditions(range, place, this.sequence.format());
	}

	private long numberOf(StoredId id, ReservedRange range) {
		return (id.place().form() == IdForm.TEXT) ? this.sequence.format().numberOf(id.text(), range.serverPrefix())
				: id.number();
	}

	/**
	 * Sends all commands, {@value #AT_ONCE} at the same time, and returns the ids that
	 * were found, in this order.
	 */
	private static CompletionStage<List<StoredId>> sendAll(List<Command> all) {
		List<CompletableFuture<Optional<StoredId>>> sent = all.stream()
			.limit(AT_ONCE)
			.map((command) -> command.send().toCompletableFuture())
			.toList();
		CompletionStage<List<StoredId>> answers = CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
			.thenApply((ended) -> sent.stream().flatMap((answer) -> answer.join().stream()).toList());
		return (sent.size() == all.size()) ? answers
				: answers.thenCompose((first) -> sendAll(all.subList(AT_ONCE, all.size()))
					.thenApply((others) -> Stream.concat(first.stream(), others.stream()).toList()));
	}

	private CompletionStage<Optional<StoredId>> find(Place place, Query query) {
		long beganNanos = this.sequence.time().nanoTime();
		Duration waitedBefore = this.deadline.waited();
		return explained(place, null, this.commands.findOne(query, this.deadline).thenApply((document) -> {
			warnIfSlow(place, Duration.ofNanos(this.sequence.time().nanoTime() - beganNanos)
				.minus(this.deadline.waited().minus(waitedBefore)));
			return Optional.ofNullable(document)
				.map((found) -> new StoredId(place, PlaceQueries.valueIn(place, found)));
		}));
	}

	private void warnIfSlow(Place place, Duration lasted) {
		if (!place.isId() && lasted.compareTo(SLOW) > 0 && this.sequence.isFirstWarning(place)) {
			logger.warn("A find in the {}, whose ids are checked before {} issues numbers, took {}. {}",
					place.describe(), this.sequence.described(),
					Timeouts.readable(lasted.truncatedTo(ChronoUnit.MILLIS)), withoutIndex(place));
		}
	}

	private static String withoutIndex(Place place) {
		return "Without an index MongoDB reads the whole collection for it: create the index {" + place.path()
				+ ": 1}, best a unique one";
	}

	/**
	 * Returns an answer that is empty if a place can be passed over. Any other failure
	 * says which place could not be read, and what to do.
	 * @param texts the aggregate that was sent, or {@code null} if it was a find
	 */
	private CompletionStage<Optional<StoredId>> explained(Place place, @Nullable TextNumbers texts,
			CompletionStage<Optional<StoredId>> answer) {
		return answer.exceptionallyCompose(
				(failure) -> canBePassedOver(place, failure) ? CompletableFuture.completedFuture(Optional.empty())
						: CompletableFuture.failedFuture(unreadable(place, texts, failure)));
	}

	/**
	 * No known type is saved to a collection that can be passed over, and it cannot
	 * exist, or this application may not read it.
	 */
	private boolean canBePassedOver(Place place, Throwable failure) {
		if (place.isOfType() || !(Failures.causeOf(failure) instanceof MongoException ex)) {
			return false;
		}
		boolean unauthorized = Failures.isUnauthorized(ex);
		if (unauthorized && this.sequence.isFirstWarning(place.collection())) {
			logger.warn(
					"The ids in collection {} may not be read, so they are not checked for {}. No known type is saved"
							+ " there; if your documents are, allow find on it",
					Names.quoted(place.collection()), this.sequence.described());
		}
		return unauthorized || INVALID_NAMES.contains(ex.getCode());
	}

	private Throwable unreadable(Place place, @Nullable TextNumbers texts, Throwable failure) {
		// It says itself what to do, and nothing about the place.
		return Failures.isNotSent(failure) ? failure
				: new HiLoUnavailableException("the ids that are stored already could not be read from "
						+ place.describe() + ". " + whatToDo(place, texts, failure) + SWITCH_OFF
						+ ". Without the check a stored document could be overwritten. " + Failures.describe(failure),
						Failures.causeOf(failure));
	}

	/**
	 * Returns what helps, other than to switch the checks off. If the aggregate fails,
	 * raising the counter helps, because that creates it without the aggregate. MongoDB
	 * refuses a command that would sort too much without an index.
	 */
	private String whatToDo(Place place, @Nullable TextNumbers texts, Throwable failure) {
		if (Failures.isUnauthorized(failure)) {
			return "Allow find there, or ";
		}
		boolean late = Failures.isTimeout(failure);
		boolean index = !place.isId() && (late || Failures.causeOf(failure) instanceof MongoCommandException);
		if (texts == null) {
			return index ? withoutIndex(place) + ", or " : "To go on, ";
		}
		String start = index ? withoutIndex(place) + ". If there is one, " : "To go on, ";
		return late
				? "Counting them takes longer than " + Timeouts.named(this.sequence.settings().timeout()) + " allows. "
						+ start + "count them once in mongosh with " + texts.command()
						+ ", and raise the counter to the result with ensureAtLeast, or "
				: start + "raise the counter above the highest stored id with ensureAtLeast, or ";
	}

	/**
	 * A command that reads ids of one place, and has not been sent.
	 */
	private interface Command {

		CompletionStage<Optional<StoredId>> send();

	}

}
