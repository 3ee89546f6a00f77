package io.github.hilo.internal.stored;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import com.mongodb.MongoException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.mongodb.Failures;
import io.github.hilo.internal.mongodb.FieldQuery;
import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.text.DocumentIdFormat;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the ids that documents have in a place, by the index of {@code _id}, or of
 * another field if the application has made one:
 * <ol>
 * <li>The highest number above a floor, up to {@link HiLoIdGenerator#MAX_FLOOR}, the end
 * of all counters: <pre>
 * find({_id: {$gt: 32, $lte: MAX_FLOOR}}, {_id: 1}).sort({_id: -1}).limit(1)
 * </pre> A comparison with a number matches numbers only.</li>
 * <li>Texts: whether there is one at all, then a scan of all of them: <pre>
 * find({_id: {$gte: "orders/", $lt: "orders/\\u{10FFFF}"}}, {_id: 1})
 * </pre> No id has the last of all characters behind the separator.</li>
 * <li>Whether a document has an id of a range: <pre>
 * find({_id: {$gte: 33, $lte: 64}}, {_id: 1}).limit(1)
 * find({$and: [{_id: {$gte: "orders/33", $lt: "orders/64\\u{10FFFF}"}},
 *              {_id: {$regex: "^orders/[0-9]{2}-A\\z"}}]}, {_id: 1}).limit(1)
 * </pre> Of texts it is a condition for each number of digits that ids of the range have,
 * under {@code $or}. An index answers it alone: it reads the shorter and longer ids
 * between those of the range, at most one in nine of its size if the counter is above
 * them. It is sent without a collation, so that a collection's own index will do.</li>
 * </ol>
 * A collection with a collation of its own has an index that cannot tell prefixes: there
 * a scan reads all ids.
 *
 * @param commands what sends the commands to the documents' database
 * @param memory what this process remembers of the ids of the sequence
 * @param deadline by when the next command must have ended, unless it is a scan
 */
record StoredIdReader(StoreCommands commands, StoredIdMemory memory, List<Place> places, Supplier<Deadline> deadline) {

	private static final String OR_SWITCH_OFF = ", or set " + StoredIdMemory.SWITCH + " to false for this sequence";

	static final String TO_GO_ON = "To go on without it, raise the counter above the highest stored id with ensureAtLeast"
			+ OR_SWITCH_OFF;

	private static final Logger logger = LoggerFactory.getLogger(StoredIdReader.class);

	// There can be no collection of such a name, or the name of database and collection
	// together is too long.
	private static final Set<Integer> INVALID_NAMES = Set.of(73, 10080);

	private static final String LAST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);

	private static final Pattern KNOWN_TO_EXPRESSIONS = Pattern.compile("[\\\\^$.|?*+()\\[\\]{}\\x00]");

	/**
	 * Makes a reader that gives each command all the time.
	 */
	StoredIdReader withTimeForEach() {
		return new StoredIdReader(this.commands, this.memory, this.places, () -> this.deadline.get().restarted());
	}

	List<Place> numbers() {
		return this.places.stream().filter((place) -> !place.text()).toList();
	}

	List<Place> texts() {
		return this.places.stream().filter(Place::text).toList();
	}

	CompletionStage<List<StoredId>> highestNumbers(long floor) {
		return each(numbers(), (place) -> FieldQuery.highest(place, bounds("$gt", floor, HiLoIdGenerator.MAX_FLOOR)));
	}

	CompletionStage<HighestStoredId> highest(CompletionStage<List<StoredId>> numbers, TextScan scan) {
		// One after the other: what fails ends it at once, before a long scan.
		return numbers.thenApply(StoredId::highest).thenCompose((highest) -> highestText(scan).thenApply(highest::or));
	}

	CompletionStage<List<StoredId>> anyOf(ReservedRange range, List<Place> places) {
		return each(places, (place) -> FieldQuery.any(place, conditions(range, place)));
	}

	/**
	 * Finds the highest number of a range that documents have, or 0. Texts are asked for
	 * by their number of digits, in which they sort as their numbers do.
	 */
	CompletionStage<Long> highestOf(ReservedRange range) {
		Place place = this.places.get(0);
		List<CompletableFuture<Long>> sent = conditions(range, place).stream()
			.map((condition) -> find(place, FieldQuery.highest(place, condition))
				.thenApply((found) -> found.map((id) -> numberOf(id, range)).orElse(0L))
				.toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
			.thenApply((ended) -> sent.stream().mapToLong(CompletableFuture::join).max().orElse(0));
	}

	private List<BsonDocument> conditions(ReservedRange range, Place place) {
		return place.text() ? textsOf(range) : List.of(bounds("$gte", range.min(), range.max()));
	}

	private long numberOf(StoredId id, ReservedRange range) {
		return id.place().text() ? this.memory.format().numberOf(id.text(), range.serverPrefix()) : id.number();
	}

	/**
	 * Makes a condition for each number of digits, zeros in front included: texts whose
	 * numbers have as many sort as their numbers do, with shorter and longer ones between
	 * them.
	 */
	private List<BsonDocument> textsOf(ReservedRange range) {
		DocumentIdFormat format = this.memory.format();
		String head = format.head() + range.serverPrefix();
		String tail = literal(format.tail());
		List<BsonDocument> conditions = new ArrayList<>();
		long last = range.min() - 1;
		while (last < range.max()) {
			long first = last + 1;
			int digits = Math.max(format.digits(), Long.toString(first).length());
			last = (digits < DocumentIdFormat.MAX_DIGITS) ? Math.min(range.max(), Long.parseLong("9".repeat(digits)))
					: range.max();
			conditions.add(new BsonDocument("$gte", new BsonString(head + format.zeros(first) + first))
				.append("$lt", new BsonString(head + format.zeros(last) + last + LAST_CHARACTER))
				.append("$regex", new BsonString("^" + literal(head) + "[0-9]{" + digits + "}" + tail + "\\z")));
		}
		return conditions;
	}

	/**
	 * Escapes what an expression knows, and the null character, which none may hold.
	 */
	private static String literal(String text) {
		return KNOWN_TO_EXPRESSIONS.matcher(text).replaceAll("\\\\$0").replace("\\\0", "\\x00");
	}

	private static BsonDocument bounds(String operator, long bound, long most) {
		return new BsonDocument(operator, new BsonInt64(bound)).append("$lte", new BsonInt64(most));
	}

	/**
	 * Asks in each place at the same time, and answers in their order.
	 */
	private CompletionStage<List<StoredId>> each(List<Place> places, Function<Place, FieldQuery> query) {
		List<CompletableFuture<Optional<StoredId>>> sent = places.stream()
			.map((place) -> find(place, query.apply(place)).toCompletableFuture())
			.toList();
		return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
			.thenApply((ended) -> sent.stream().flatMap((answer) -> answer.join().stream()).toList());
	}

	private CompletionStage<Optional<StoredId>> find(Place place, FieldQuery query) {
		Deadline own = this.deadline.get();
		return reading(place, own.isMostLeft(),
				() -> this.commands.findOne(query, own.left())
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
		String head = this.memory.format().head();
		FieldQuery query = FieldQuery.texts(place,
				new BsonDocument("$gte", new BsonString(head)).append("$lt", new BsonString(head + LAST_CHARACTER)));
		return find(place, query)
			.thenCompose((first) -> first.isEmpty() ? CompletableFuture.completedFuture(first) : reading(place, true,
					() -> this.commands
						.forEach(query, (document) -> scan.visit(place, query.valueIn(document)), scan.stepTimeout())
						.thenApply((ended) -> first)));
	}

	/**
	 * Points out fields that no index begins with, so that their values are looked for in
	 * every document.
	 */
	void warnWithoutIndexes() {
		this.places.stream()
			.filter((place) -> !place.isId() && !this.memory.isTold(place))
			.forEach((place) -> this.commands.listIndexes(place.collection(), this.deadline.get().left())
				.whenComplete((indexes, failure) -> {
					boolean first = (indexes != null || Failures.isReply(failure)) && this.memory.isNew(place);
					if (first && indexes != null && indexes.stream().noneMatch((index) -> beginsWith(place, index))) {
						logger.warn("No index begins with the {}, whose ids are checked before {} issues numbers. {}",
								place.describe(), this.memory.describe(), withoutIndex(place));
					}
				}));
	}

	private static boolean beginsWith(Place place, BsonDocument index) {
		BsonDocument key = index.getDocument("key");
		return !index.containsKey("partialFilterExpression") && key.getFirstKey().equals(place.path())
				&& key.isNumber(place.path());
	}

	private static String withoutIndex(Place place) {
		return "Without an index MongoDB reads the whole collection for it: create the index {" + place.path()
				+ ": 1}, best a unique one";
	}

	/**
	 * Reads a place, nothing if it can be passed over.
	 */
	private CompletionStage<Optional<StoredId>> reading(Place place, boolean hasItsTime,
			Supplier<CompletionStage<Optional<StoredId>>> command) {
		long beganNanos = this.memory.time().nanoTime();
		return command.get()
			.exceptionallyCompose((failure) -> isNeedless(place, failure)
					? CompletableFuture.completedFuture(Optional.empty())
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
		if (unauthorized && this.memory.isNew(place.collection())) {
			logger.warn(
					"The ids in collection {} may not be read, so they are not checked for {}. No known type is saved"
							+ " there; if your documents are, allow find on it",
					Names.quoted(place.collection()), this.memory.describe());
		}
		return unauthorized || INVALID_NAMES.contains(ex.getCode());
	}

	/**
	 * Explains why a check failed, and remembers that if the reason lasts.
	 */
	<T> CompletionStage<T> explained(CompletionStage<T> check) {
		return check.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(
				(Failures.causeOf(failure) instanceof UnreadableException unreadable) ? explain(unreadable) : failure));
	}

	private HiLoUnavailableException explain(UnreadableException failure) {
		HiLoUnavailableException reason = new HiLoUnavailableException(
				"the ids that are stored already could not be read from " + failure.place.describe() + ". "
						+ failure.whatToDo + ". Without that a stored document could be overwritten. "
						+ (failure.lasts ? "It is tried again " + Timeouts.named(this.memory.settings().timeout())
								+ " after it began. " : "")
						+ failure.getMessage(),
				failure);
		if (failure.lasts) {
			this.memory.failed(failure.place, failure.beganNanos, reason);
		}
		return reason;
	}

	private static final class UnreadableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient Place place;

		private final long beganNanos;

		private final String whatToDo;

		/**
		 * Whether the user may not read there, or the find had all its time. Whatever
		 * else it is, the next call finds out whether it is over.
		 */
		private final boolean lasts;

		UnreadableException(Place place, Throwable failure, long beganNanos, boolean hadItsTime) {
			super(Failures.describe(failure)
					+ ((!place.isId() && Failures.isTimeout(failure)) ? ". " + withoutIndex(place) : ""),
					Failures.causeOf(failure));
			this.place = place;
			this.beganNanos = beganNanos;
			this.whatToDo = Failures.isUnauthorized(failure) ? "Allow find there" + OR_SWITCH_OFF : TO_GO_ON;
			this.lasts = Failures.isTimeout(failure) ? hadItsTime : Failures.isUnauthorized(failure);
		}

	}

}
