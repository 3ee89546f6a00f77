package io.github.hilo.mongodb;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import com.mongodb.MongoException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.StoredIdScope;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

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
 * find({_id: {$gte: "orders/", $lt: "orders0"}}, {_id: 1})
 * </pre> The upper bound is the prefix with its last character's successor.</li>
 * <li>Whether a document has an id of a range: <pre>
 * find({_id: {$gte: 33, $lte: 64}}, {_id: 1}).limit(1)
 * find({_id: {$in: ["orders/33-A", …]}}, {_id: 1}).limit(1)
 * </pre></li>
 * </ol>
 * A collection with a collation of its own has an index that cannot tell prefixes: there
 * a scan reads all ids.
 * <p>
 * Thread-safe: it holds nothing that changes.
 */
final class StoredIdReader {

	/**
	 * No collection has a longer name.
	 */
	private static final int MAX_NAME_LENGTH = 255;

	private static final int UNAUTHORIZED = 13;

	private static final int INVALID_NAMESPACE = 73;

	/**
	 * The name of database and collection together is too long.
	 */
	private static final int NAMESPACE_TOO_LONG = 10080;

	private final StoreCommands commands;

	private final DocumentIdFormat format;

	private final Consumer<String> skipped;

	/**
	 * Creates a reader.
	 * @param commands what sends the commands to the documents' database
	 * @param format what ids of the sequences look like
	 * @param skipped is told of a collection that may not be read and need not be
	 */
	StoredIdReader(StoreCommands commands, DocumentIdFormat format, Consumer<String> skipped) {
		this.commands = commands;
		this.format = format;
		this.skipped = skipped;
	}

	/**
	 * Finds the highest number above a floor in each of some places.
	 * @param timeLeft the longest that the next command may take
	 */
	CompletionStage<List<Highest>> highestNumbers(List<StoredIdScope.Place> places, long floor,
			Supplier<Duration> timeLeft) {
		BsonInt64 most = new BsonInt64(HiLoIdGenerator.MAX_FLOOR);
		return SideBySide.each(places, (place) -> {
			BsonDocument filter = IdQuery.filter(place, bounds("$gt", floor).append("$lte", most));
			return find(place, IdQuery.highest(place.collection(), place.path(), filter), timeLeft.get())
				.thenApply((found) -> new Highest(place, found));
		});
	}

	/**
	 * Finds a number that is higher than a counter can be raised to.
	 * @return it, and no highest number
	 */
	CompletionStage<HighestStoredId> numberBeyond(List<StoredIdScope.Place> places, Supplier<Duration> timeLeft) {
		BsonDouble finite = new BsonDouble(Double.MAX_VALUE);
		return SideBySide
			.each(places,
					(place) -> any(place, bounds("$gt", HiLoIdGenerator.MAX_FLOOR).append("$lte", finite),
							timeLeft.get()))
			.thenApply((found) -> found.stream()
				.flatMap(Optional::stream)
				.findFirst()
				.map((beyond) -> new HighestStoredId(0, "", beyond.describe()))
				.orElse(HighestStoredId.NONE));
	}

	/**
	 * Finds a number of a range.
	 */
	CompletionStage<Optional<Found>> numberIn(StoredIdScope.Place place, long min, long max, Duration timeout) {
		return any(place, bounds("$gte", min).append("$lte", new BsonInt64(max)), timeout);
	}

	/**
	 * Finds a text with a number of a range.
	 */
	CompletionStage<Optional<Found>> textIn(StoredIdScope.Place place, String sequence, String serverPrefix, long min,
			long max, Duration timeout) {
		List<BsonString> ids = LongStream.rangeClosed(min, max)
			.mapToObj((number) -> new BsonString(this.format.id(sequence, serverPrefix, number)))
			.toList();
		return any(place, new BsonDocument("$in", new BsonArray(ids)), timeout);
	}

	private static BsonDocument bounds(String operator, long bound) {
		return new BsonDocument(operator, new BsonInt64(bound));
	}

	private CompletionStage<Optional<Found>> any(StoredIdScope.Place place, BsonDocument values, Duration timeout) {
		return find(place, IdQuery.any(place.collection(), place.path(), IdQuery.filter(place, values)), timeout);
	}

	private CompletionStage<Optional<Found>> find(StoredIdScope.Place place, IdQuery query, Duration timeout) {
		return reading(place, Optional.empty(),
				() -> this.commands.findIds(query, timeout)
					.thenApply((documents) -> documents.stream()
						.findFirst()
						.map((document) -> new Found(place, IdQuery.valueOf(place, document)))));
	}

	/**
	 * Finds the highest number that texts have, in one place after the other.
	 * @param timeLeft the longest that it may take to find out whether there is a text
	 * @param scan counts the texts that are visited, and has time of its own
	 */
	CompletionStage<HighestStoredId> highestText(List<StoredIdScope.Place> places, String sequence,
			Supplier<Duration> timeLeft, TextScan scan) {
		CompletionStage<HighestStoredId> all = CompletableFuture.completedFuture(HighestStoredId.NONE);
		for (StoredIdScope.Place place : places) {
			all = all.thenCompose(
					(before) -> reading(place, HighestStoredId.NONE, () -> highestText(place, sequence, timeLeft, scan))
						.thenApply(before::or));
		}
		return all;
	}

	private CompletionStage<HighestStoredId> highestText(StoredIdScope.Place place, String sequence,
			Supplier<Duration> timeLeft, TextScan scan) {
		String prefix = this.format.head(sequence);
		BsonDocument bounds = new BsonDocument("$gte", new BsonString(prefix)).append("$lt",
				new BsonString(endOf(prefix)));
		IdQuery query = IdQuery.texts(place.collection(), place.path(), IdQuery.filter(place, bounds));
		return this.commands.findIds(query.first(), timeLeft.get()).thenCompose((first) -> {
			if (first.isEmpty()) {
				return CompletableFuture.completedFuture(HighestStoredId.NONE);
			}
			TextScan.Visit visited = scan.of(place, prefix);
			return this.commands.forEachId(query, visited::visit, TextScan.STEP_TIMEOUT)
				.thenApply((none) -> visited.highest());
		});
	}

	/**
	 * Tells whether an index begins with a field, so that its values need not be looked
	 * for in every document.
	 */
	CompletionStage<Boolean> hasIndex(StoredIdScope.Place place, Duration timeout) {
		return this.commands.listIndexes(place.collection(), timeout)
			.thenApply((indexes) -> indexes.stream()
				.filter((index) -> !index.containsKey("partialFilterExpression"))
				.map((index) -> index.getDocument("key"))
				.anyMatch((key) -> key.getFirstKey().equals(place.path()) && key.isNumber(place.path())));
	}

	/**
	 * Reads the ids of a place, unless there are none to read.
	 */
	private <T> CompletionStage<T> reading(StoredIdScope.Place place, T none, Supplier<CompletionStage<T>> reading) {
		if (place.collection().length() > MAX_NAME_LENGTH) {
			return CompletableFuture.completedFuture(none);
		}
		return reading.get()
			.exceptionallyCompose((failure) -> isNeedless(place, failure) ? CompletableFuture.completedFuture(none)
					: CompletableFuture.failedFuture(new UnreadableException(place, failure)));
	}

	/**
	 * Whether a collection that only has the sequence's name can be passed over: there
	 * can be none of that name, or this application may not read it.
	 */
	private boolean isNeedless(StoredIdScope.Place place, Throwable failure) {
		if (place.mapped() || !(Failures.causeOf(failure) instanceof MongoException ex)) {
			return false;
		}
		if (ex.getCode() == UNAUTHORIZED) {
			this.skipped.accept(place.collection());
		}
		return Set.of(UNAUTHORIZED, INVALID_NAMESPACE, NAMESPACE_TOO_LONG).contains(ex.getCode());
	}

	/**
	 * Finds what every text with a prefix is below.
	 */
	private static String endOf(String prefix) {
		int last = prefix.codePointBefore(prefix.length());
		String head = prefix.substring(0, prefix.length() - Character.charCount(last));
		int next = (last + 1 == Character.MIN_SURROGATE) ? Character.MAX_SURROGATE + 1 : last + 1;
		return head + Character.toString(next);
	}

	/**
	 * The highest number in a place.
	 *
	 * @param found the number, or nothing if there is none above the floor
	 */
	record Highest(StoredIdScope.Place place, Optional<Found> found) {

		/**
		 * The highest number of some places.
		 */
		static HighestStoredId of(List<Highest> places) {
			return places.stream().map(Highest::id).reduce(HighestStoredId.NONE, HighestStoredId::or);
		}

		/**
		 * The whole number at or below it, or 0.
		 */
		HighestStoredId id() {
			return this.found.map((id) -> new HighestStoredId(id.number(), this.place.describe(), null))
				.orElse(HighestStoredId.NONE);
		}

	}

	/**
	 * An id that is stored already.
	 *
	 * @param place where
	 * @param id the id, or {@code null} if its document answered without it
	 */
	record Found(StoredIdScope.Place place, @Nullable BsonValue id) {

		/**
		 * The whole number at or below it.
		 */
		long number() {
			return value().setScale(0, RoundingMode.FLOOR).longValueExact();
		}

		private BigDecimal value() {
			if (this.id == null || !this.id.isNumber()) {
				throw new IllegalStateException("A find of numbers was answered " + describe());
			}
			return this.id.isDecimal128() ? this.id.asDecimal128().getValue().bigDecimalValue()
					: this.id.isDouble() ? new BigDecimal(this.id.asDouble().getValue())
							: BigDecimal.valueOf(this.id.asNumber().longValue());
		}

		/**
		 * Shows the id in a message.
		 */
		String describe() {
			return (this.id != null) ? BsonText.of(this.id) : "nothing";
		}

	}

	/**
	 * The ids of a place could not be read.
	 */
	static final class UnreadableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnreadableException(StoredIdScope.Place place, Throwable failure) {
			super(place.describe() + ": " + Failures.describe(failure)
					+ ((!place.isId() && Failures.isTimeout(failure)) ? ". " + withoutIndex(place) : ""),
					Failures.causeOf(failure));
		}

		/**
		 * Says what to do about a field without an index.
		 */
		static String withoutIndex(StoredIdScope.Place place) {
			return "Without an index MongoDB reads the whole collection for it: create the index {" + place.path()
					+ ": 1}, best a unique one";
		}

	}

}
