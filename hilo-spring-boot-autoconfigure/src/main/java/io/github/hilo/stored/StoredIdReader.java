package io.github.hilo.stored;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.mongodb.MongoException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.mongodb.Deadline;
import io.github.hilo.mongodb.Failures;
import io.github.hilo.mongodb.FieldQuery;
import io.github.hilo.mongodb.StoreCommands;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Place;
import io.github.hilo.text.Names;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the ids that documents have in a place, by the index of {@code _id}, or of
 * another field if the application has made one:
 * <ol>
 * <li>The highest number above a floor; what is higher than
 * {@link HiLoIdGenerator#MAX_FLOOR} is asked for apart: <pre>
 * find({_id: {$gt: 32, $lte: MAX_FLOOR}}, {_id: 1}).sort({_id: -1}).limit(1)
 * find({_id: {$gt: MAX_FLOOR, $lte: 1.8e308}}, {_id: 1}).limit(1)
 * </pre> A comparison with a number matches numbers only; the last bound is the highest
 * finite one.</li>
 * <li>Texts: whether there is one at all, then a scan of all of them: <pre>
 * find({_id: {$gte: "orders/", $lt: "orders/\\u{10FFFF}"}}, {_id: 1})
 * </pre> No id has the last of all characters behind the separator.</li>
 * <li>Whether a document has an id of a range: <pre>
 * find({_id: {$gte: 33, $lte: 64}}, {_id: 1}).limit(1)
 * find({_id: {$in: ["orders/33-A", …]}}, {_id: 1}).limit(1)
 * </pre></li>
 * </ol>
 * A collection with a collation of its own has an index that cannot tell prefixes: there
 * a scan reads all ids.
 * <p>
 * Thread-safe: it holds nothing that changes.
 *
 * @param commands what sends the commands to the documents' database
 * @param ids what this process remembers of the ids of the sequence
 * @param places where they are
 * @param deadlines by when the next command must have ended, unless it is a scan
 */
record StoredIdReader(StoreCommands commands, StoredIds ids, List<Place> places, Supplier<Deadline> deadlines) {

	private static final Logger logger = LoggerFactory.getLogger(StoredIdReader.class);

	/**
	 * There can be no collection of such a name, or the name of database and collection
	 * together is too long.
	 */
	private static final Set<Integer> INVALID_NAMES = Set.of(73, 10080);

	private static final String LAST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);

	List<Place> numbers() {
		return this.places.stream().filter((place) -> !place.text()).toList();
	}

	List<Place> texts() {
		return this.places.stream().filter(Place::text).toList();
	}

	/**
	 * Finds the highest number above a floor in each place that has one.
	 */
	CompletionStage<List<StoredId>> highestNumbers(long floor) {
		BsonInt64 most = new BsonInt64(HiLoIdGenerator.MAX_FLOOR);
		return each(numbers(), (place) -> FieldQuery.highest(place, bounds("$gt", floor, most)));
	}

	/**
	 * Finds the highest number that ids have.
	 * @param numbers the highest numbers above a floor
	 * @param scan counts the texts that are visited
	 */
	CompletionStage<HighestStoredId> highest(CompletionStage<List<StoredId>> numbers, TextScan scan) {
		// One after the other: what fails ends it at once, before a long scan.
		return numbers.thenApply(StoredId::highest)
			.thenCompose((highest) -> numberBeyond().thenApply(highest::or))
			.thenCompose((highest) -> highestText(scan).thenApply(highest::or));
	}

	/**
	 * Finds a number that is higher than a counter can be raised to.
	 * @return it, and no highest number
	 */
	private CompletionStage<HighestStoredId> numberBeyond() {
		BsonDouble finite = new BsonDouble(Double.MAX_VALUE);
		return each(numbers(), (place) -> FieldQuery.any(place, bounds("$gt", HiLoIdGenerator.MAX_FLOOR, finite)))
			.thenApply((found) -> found.isEmpty() ? HighestStoredId.NONE
					: new HighestStoredId(0, "", found.get(0).describe()));
	}

	/**
	 * Finds numbers of a range.
	 */
	CompletionStage<List<StoredId>> numbersIn(List<Place> places, long min, long max) {
		return each(places, (place) -> FieldQuery.any(place, bounds("$gte", min, new BsonInt64(max))));
	}

	/**
	 * Finds texts.
	 */
	CompletionStage<List<StoredId>> textsIn(List<Place> places, Stream<String> texts) {
		BsonArray ids = new BsonArray(texts.map(BsonString::new).toList());
		return each(places, (place) -> FieldQuery.any(place, new BsonDocument("$in", ids)));
	}

	/**
	 * Writes the ids of a range.
	 */
	Stream<String> textsOf(String serverPrefix, long min, long max) {
		return LongStream.rangeClosed(min, max).mapToObj((number) -> this.ids.format().id(serverPrefix, number));
	}

	private static BsonDocument bounds(String operator, long bound, BsonNumber most) {
		return new BsonDocument(operator, new BsonInt64(bound)).append("$lte", most);
	}

	/**
	 * Asks in each place at the same time.
	 * @return what was found, in the order of the places, or the failure of one
	 */
	private CompletionStage<List<StoredId>> each(List<Place> places, Function<Place, FieldQuery> query) {
		List<CompletableFuture<Optional<StoredId>>> sent = places.stream()
			.map((place) -> find(place, query.apply(place)).toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
			.thenApply((ended) -> sent.stream().flatMap((answer) -> answer.join().stream()).toList());
	}

	private CompletionStage<Optional<StoredId>> find(Place place, FieldQuery query) {
		Deadline deadline = this.deadlines.get();
		return reading(place, Optional.empty(), deadline.isMostLeft(),
				() -> this.commands.findOne(query, deadline.left())
					.thenApply((document) -> Optional.ofNullable(document)
						.map((found) -> new StoredId(place, query.valueIn(found)))));
	}

	/**
	 * Finds the highest number that texts have, in one place after the other.
	 */
	private CompletionStage<HighestStoredId> highestText(TextScan scan) {
		CompletionStage<Optional<StoredId>> all = CompletableFuture.completedFuture(Optional.empty());
		for (Place place : texts()) {
			all = all.thenCompose((before) -> visitTexts(place, scan));
		}
		return all.thenApply((last) -> scan.end());
	}

	private CompletionStage<Optional<StoredId>> visitTexts(Place place, TextScan scan) {
		BsonDocument bounds = new BsonDocument("$gte", new BsonString(this.ids.format().head())).append("$lt",
				new BsonString(this.ids.format().head() + LAST_CHARACTER));
		FieldQuery query = FieldQuery.texts(place, bounds);
		return find(place, query)
			.thenCompose((first) -> first.isEmpty() ? CompletableFuture.completedFuture(first) : reading(place, first,
					true,
					() -> this.commands
						.forEach(query, (document) -> visit(place, query.valueIn(document), scan), scan.stepTimeout())
						.thenApply((ended) -> first)));
	}

	private void visit(Place place, BsonValue id, TextScan scan) {
		// A symbol compares like a string.
		if (id.isString() && id.asString().getValue().startsWith(this.ids.format().head())) {
			String text = id.asString().getValue();
			scan.visit(place, text, this.ids.format().numberIn(text));
		}
	}

	/**
	 * Tells whether an index begins with a field, so that its values need not be looked
	 * for in every document.
	 */
	CompletionStage<Boolean> hasIndex(Place place) {
		return this.commands.listIndexes(place.collection(), this.deadlines.get().left())
			.thenApply((indexes) -> indexes.stream()
				.filter((index) -> !index.containsKey("partialFilterExpression"))
				.map((index) -> index.getDocument("key"))
				.anyMatch((key) -> key.getFirstKey().equals(place.path()) && key.isNumber(place.path())));
	}

	/**
	 * Answers what was read of a place, or that there is nothing to read.
	 * @param hasItsTime whether the command is slow itself if its time does not suffice
	 */
	private <T> CompletionStage<T> reading(Place place, T none, boolean hasItsTime,
			Supplier<CompletionStage<T>> command) {
		long beganNanos = this.ids.nanoTime();
		return command.get()
			.exceptionallyCompose((failure) -> isNeedless(place, failure) ? CompletableFuture.completedFuture(none)
					: CompletableFuture.failedFuture(new UnreadableException(place, failure, beganNanos, hasItsTime)));
	}

	/**
	 * Whether a collection that only has the sequence's name can be passed over: there
	 * can be none of that name, or this application may not read it.
	 */
	private boolean isNeedless(Place place, Throwable failure) {
		if (place.mapped() || !(Failures.causeOf(failure) instanceof MongoException ex)) {
			return false;
		}
		boolean unauthorized = Failures.isUnauthorized(ex);
		if (unauthorized && this.ids.isNew(place.collection())) {
			logger.warn(
					"The ids in collection {} may not be read, so they are not checked for {}. No known type is saved"
							+ " there; if your documents are, allow find on it",
					Names.quoted(place.collection()), this.ids.describe());
		}
		return unauthorized || INVALID_NAMES.contains(ex.getCode());
	}

	/**
	 * The ids of a place could not be read.
	 */
	static final class UnreadableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient Place place;

		private final long beganNanos;

		private final boolean lasts;

		UnreadableException(Place place, Throwable failure, long beganNanos, boolean hadItsTime) {
			super(place.describe() + ": " + Failures.describe(failure)
					+ ((!place.isId() && Failures.isTimeout(failure)) ? ". " + withoutIndex(place) : ""),
					Failures.causeOf(failure));
			this.place = place;
			this.beganNanos = beganNanos;
			this.lasts = Failures.isTimeout(failure) ? hadItsTime : Failures.isUnauthorized(failure);
		}

		Place place() {
			return this.place;
		}

		/**
		 * When the command was sent that failed.
		 */
		long beganNanos() {
			return this.beganNanos;
		}

		/**
		 * Whether the reason lasts: the user may not read there, or the find had all its
		 * time. Whatever else it is, the next call finds out whether it is over.
		 */
		boolean lasts() {
			return this.lasts;
		}

		/**
		 * Says what to do about a field without an index.
		 */
		static String withoutIndex(Place place) {
			return "Without an index MongoDB reads the whole collection for it: create the index {" + place.path()
					+ ": 1}, best a unique one";
		}

	}

}
