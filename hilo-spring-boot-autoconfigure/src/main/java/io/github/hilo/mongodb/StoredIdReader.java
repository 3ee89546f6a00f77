package io.github.hilo.mongodb;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import com.mongodb.MongoException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.StoredIdScope;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ids that documents have in a field, {@code _id} or another one, from its
 * index:
 * <ol>
 * <li>The highest number of a field: <pre>
 * find({_id: {$gte: 0, $lte: 1.8e308}}, {_id: 1}).sort({_id: -1}).limit(1)
 * </pre> A comparison with a number matches numbers only; the upper bound is the highest
 * finite one. Where the highest is beyond {@link HiLoIdGenerator#MAX_FLOOR}, a second
 * find looks below that.</li>
 * <li>Texts: whether there is one at all, then a walk over all of them: <pre>
 * find({_id: {$gte: "orders/", $lt: "orders0"}}, {_id: 1})
 * </pre> The upper bound is the prefix with its last character's successor.</li>
 * <li>Whether a document has an id of a range: <pre>
 * find({_id: {$gte: 33, $lte: 64}}, {_id: 1}).limit(1)
 * find({_id: {$in: ["orders/33-A", …]}}, {_id: 1}).limit(1)
 * </pre> or one with {@code $or} where ids of either form count.</li>
 * </ol>
 * The index alone answers all of them; of another field than {@code _id} the application
 * makes it. A collection with a collation of its own has an index that can't tell
 * prefixes: there a walk looks at all ids.
 * <p>
 * Thread-safe: it holds nothing that changes.
 */
final class StoredIdReader {

	/**
	 * How many ids of a range of texts are looked for.
	 */
	static final int MAX_TEXTS = 32;

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

	private static final BigDecimal BEYOND = BigDecimal.valueOf(HiLoIdGenerator.MAX_FLOOR).add(BigDecimal.ONE);

	private final StoreCommands commands;

	private final DocumentIdFormat format;

	/**
	 * Creates a reader.
	 * @param commands what sends the commands to the documents' database
	 * @param format what ids of the sequences look like
	 */
	StoredIdReader(StoreCommands commands, DocumentIdFormat format) {
		this.commands = commands;
		this.format = format;
	}

	/**
	 * Finds the highest number in a scope.
	 * @param sequence the sequence's name
	 * @param timeLeft the longest that the next command may take; a walk has time of its
	 * own
	 * @param walk counts the texts that are visited
	 * @param skipped is told of a collection that may not be read and need not be
	 */
	CompletionStage<HighestStoredId> highest(String sequence, StoredIdScope scope, Supplier<Duration> timeLeft,
			TextWalk walk, SkippedCollections skipped) {
		CompletionStage<HighestStoredId> all = CompletableFuture.completedFuture(HighestStoredId.NONE);
		for (StoredIdScope.Field field : scope.fields()) {
			all = all.thenCompose((before) -> reading(field, skipped, HighestStoredId.NONE,
					() -> highest(sequence, scope, field, timeLeft, walk))
				.thenApply(before::or));
		}
		return all;
	}

	private CompletionStage<HighestStoredId> highest(String sequence, StoredIdScope scope, StoredIdScope.Field field,
			Supplier<Duration> timeLeft, TextWalk walk) {
		CompletionStage<HighestStoredId> numbers = scope.numbers() ? highestNumber(field, timeLeft)
				: CompletableFuture.completedFuture(HighestStoredId.NONE);
		return numbers
			.thenCompose((number) -> scope.texts() ? highestText(sequence, field, timeLeft, walk).thenApply(number::or)
					: CompletableFuture.completedFuture(number));
	}

	/**
	 * Looks for a document that has an id of a range, in all fields at once.
	 * @param ids which ids to look for in a field
	 * @param timeout by when there must be an answer
	 * @param skipped is told of a collection that may not be read and need not be
	 * @return one that there is, or nothing
	 */
	CompletionStage<Optional<Found>> findAny(StoredIdScope scope, Function<StoredIdScope.Field, BsonDocument> ids,
			Duration timeout, SkippedCollections skipped) {
		CompletionStage<Optional<Found>> any = CompletableFuture.completedFuture(Optional.empty());
		for (StoredIdScope.Field field : scope.fields()) {
			IdQuery query = IdQuery.any(field.collection(), field.path(), ids.apply(field));
			CompletionStage<Optional<Found>> found = reading(field, skipped, Optional.empty(), () -> this.commands
				.findIds(query, timeout)
				.thenApply((documents) -> documents.stream().findFirst().map((document) -> found(document, field))));
			any = any.thenCombine(found, (first, second) -> first.or(() -> second));
		}
		return any;
	}

	/**
	 * Makes the filter for the ids of a range in a field.
	 * @param path the field
	 * @param numbers whether ids that are numbers count
	 * @param texts whether texts count
	 * @param sequence the sequence's name
	 * @param serverPrefix what precedes the number in a text
	 */
	BsonDocument idsOf(String path, boolean numbers, boolean texts, String sequence, String serverPrefix, long min,
			long max) {
		BsonDocument range = new BsonDocument(path,
				new BsonDocument("$gte", new BsonInt64(min)).append("$lte", new BsonInt64(max)));
		if (!texts) {
			return range;
		}
		List<BsonString> ids = LongStream.rangeClosed(min, min + Math.min(max - min, MAX_TEXTS - 1))
			.mapToObj((number) -> new BsonString(this.format.id(sequence, serverPrefix, number)))
			.toList();
		BsonDocument exact = new BsonDocument(path, new BsonDocument("$in", new BsonArray(ids)));
		return numbers ? new BsonDocument("$or", new BsonArray(List.of(range, exact))) : exact;
	}

	/**
	 * Reads the ids of a field, unless there are none to read.
	 */
	private static <T> CompletionStage<T> reading(StoredIdScope.Field field, SkippedCollections skipped, T none,
			Supplier<CompletionStage<T>> reading) {
		if (field.collection().length() > MAX_NAME_LENGTH) {
			return CompletableFuture.completedFuture(none);
		}
		return reading.get()
			.exceptionallyCompose(
					(failure) -> isNeedless(field, failure, skipped) ? CompletableFuture.completedFuture(none)
							: CompletableFuture.failedFuture(new UnreadableException(field, failure)));
	}

	/**
	 * Whether a collection that only has the sequence's name can be passed over: there
	 * can be none of that name, or this application may not read it.
	 */
	private static boolean isNeedless(StoredIdScope.Field field, Throwable failure, SkippedCollections skipped) {
		if (field.mapped() || !(Failures.causeOf(failure) instanceof MongoException ex)) {
			return false;
		}
		if (ex.getCode() == UNAUTHORIZED) {
			skipped.unauthorized(field.collection());
		}
		return Set.of(UNAUTHORIZED, INVALID_NAMESPACE, NAMESPACE_TOO_LONG).contains(ex.getCode());
	}

	private CompletionStage<HighestStoredId> highestNumber(StoredIdScope.Field field, Supplier<Duration> timeLeft) {
		BsonDocument finite = new BsonDocument("$gte", new BsonInt32(0)).append("$lte",
				new BsonDouble(Double.MAX_VALUE));
		return highestNumber(field, finite, timeLeft.get()).thenCompose((number) -> {
			if (number == null || number.compareTo(BEYOND) < 0) {
				return CompletableFuture.completedFuture(highest(field, number, null));
			}
			BsonDocument below = new BsonDocument("$gte", new BsonInt32(0)).append("$lte",
					new BsonInt64(HiLoIdGenerator.MAX_FLOOR));
			return highestNumber(field, below, timeLeft.get())
				.thenApply((next) -> highest(field, next, number.toString()));
		});
	}

	private static HighestStoredId highest(StoredIdScope.Field field, @Nullable BigDecimal number,
			@Nullable String beyond) {
		return new HighestStoredId((number != null) ? number.setScale(0, RoundingMode.FLOOR).longValueExact() : 0,
				field.describe(), beyond);
	}

	private CompletionStage<@Nullable BigDecimal> highestNumber(StoredIdScope.Field field, BsonDocument bounds,
			Duration timeout) {
		IdQuery query = IdQuery.highest(field.collection(), field.path(), new BsonDocument(field.path(), bounds));
		return this.commands.findIds(query, timeout)
			.thenApply((highest) -> highest.stream()
				.flatMap((document) -> FieldValues.highestNumber(document, field.path()).stream())
				.findFirst()
				.orElse(null));
	}

	private CompletionStage<HighestStoredId> highestText(String sequence, StoredIdScope.Field field,
			Supplier<Duration> timeLeft, TextWalk walk) {
		String prefix = this.format.head(sequence);
		BsonDocument bounds = new BsonDocument("$gte", new BsonString(prefix)).append("$lt",
				new BsonString(endOf(prefix)));
		IdQuery query = IdQuery.texts(field.collection(), field.path(), new BsonDocument(field.path(), bounds));
		return this.commands.findIds(query.first(), timeLeft.get()).thenCompose((first) -> {
			if (first.isEmpty()) {
				return CompletableFuture.completedFuture(HighestStoredId.NONE);
			}
			TextWalk.Field visited = walk.of(field, prefix);
			return this.commands.forEachId(query, visited::visit, TextWalk.STEP_TIMEOUT)
				.thenApply((none) -> visited.highest());
		});
	}

	private static Found found(BsonDocument document, StoredIdScope.Field field) {
		return new Found(field.describe(),
				FieldValues.of(document, field.path())
					.findFirst()
					.map(BsonText::of)
					.orElse("that was removed meanwhile"));
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
	 * An id that is stored already.
	 *
	 * @param place where, as it stands in a message
	 * @param id the id, as it stands in a message
	 */
	record Found(String place, String id) {
	}

	/**
	 * Is told of collections that are left out because they may not be read.
	 */
	@FunctionalInterface
	interface SkippedCollections {

		void unauthorized(String collection);

	}

	/**
	 * The ids of a field could not be read.
	 */
	static final class UnreadableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnreadableException(StoredIdScope.Field field, Throwable failure) {
			super(field.describe() + ": " + Failures.describe(failure)
					+ (lacksAnIndex(field, failure) ? ". Without an index MongoDB reads the whole collection for it:"
							+ " create the index {" + field.path() + ": 1}, best a unique one" : ""),
					Failures.causeOf(failure));
		}

		private static boolean lacksAnIndex(StoredIdScope.Field field, Throwable failure) {
			return !field.isId() && Failures.isTimeout(failure);
		}

	}

}
