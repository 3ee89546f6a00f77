package io.github.hilo.mongodb;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.github.hilo.store.StoredIdScope;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The documents of one collection, of which only the ids are known. It is never changed,
 * only replaced. Whatever else than the finds of {@link StoredIdReader} it is asked
 * fails, rather than being taken for something that it is not.
 */
public final class StoredDocuments {

	/**
	 * An empty collection.
	 */
	public static final StoredDocuments NONE = new StoredDocuments(Collections.emptyNavigableSet(),
			Collections.emptyNavigableSet());

	private static final BsonInt64 MOST = new BsonInt64(Long.MAX_VALUE);

	private static final Set<String> OPERATORS = Set.of("$gte", "$lte", "$lt");

	private final NavigableSet<Long> numbers;

	private final NavigableSet<String> texts;

	private StoredDocuments(NavigableSet<Long> numbers, NavigableSet<String> texts) {
		this.numbers = numbers;
		this.texts = texts;
	}

	/**
	 * Adds documents.
	 * @param ids their ids, which may be there already
	 * @return what is there then
	 */
	StoredDocuments with(Collection<BsonValue> ids) {
		NavigableSet<Long> numbers = new TreeSet<>(this.numbers);
		NavigableSet<String> texts = new TreeSet<>(this.texts);
		for (BsonValue id : ids) {
			if (id.isString()) {
				texts.add(id.asString().getValue());
			}
			else {
				numbers.add(id.asNumber().longValue());
			}
		}
		return new StoredDocuments(numbers, texts);
	}

	/**
	 * Keeps the documents that are in another collection as well.
	 */
	StoredDocuments and(StoredDocuments other) {
		NavigableSet<Long> numbers = new TreeSet<>(this.numbers);
		numbers.retainAll(other.numbers);
		NavigableSet<String> texts = new TreeSet<>(this.texts);
		texts.retainAll(other.texts);
		return new StoredDocuments(numbers, texts);
	}

	StoredDocuments withNumbersOf(StoredDocuments other) {
		return new StoredDocuments(other.numbers, this.texts);
	}

	StoredDocuments withTextsOf(StoredDocuments other) {
		return new StoredDocuments(this.numbers, other.texts);
	}

	/**
	 * Answers a find.
	 */
	List<BsonDocument> find(IdQuery query) {
		Stream<BsonValue> ids = query.descending() ? descending(query) : ids(query.filter());
		return documents((query.limit() > 0) ? ids.limit(query.limit()) : ids);
	}

	/**
	 * Answers one batch of a find of texts.
	 * @param after the last id of the batch before
	 * @param size how many documents
	 */
	List<BsonDocument> batch(IdQuery query, String after, int size) {
		return documents(ids(query.filter()).filter((id) -> id.asString().getValue().compareTo(after) > 0).limit(size));
	}

	private static List<BsonDocument> documents(Stream<BsonValue> ids) {
		return ids.map((id) -> new BsonDocument("_id", id)).toList();
	}

	private Stream<BsonValue> descending(IdQuery query) {
		BsonDocument bounds = query.filter().getDocument("_id");
		if (!(bounds.get("$gte") instanceof BsonNumber)) {
			throw new IllegalArgumentException("There is no model of " + query);
		}
		return numbers(bounds).descendingSet().stream().map(BsonInt64::new);
	}

	private Stream<BsonValue> ids(BsonDocument filter) {
		if (filter.containsKey("$or")) {
			return filter.getArray("$or").stream().flatMap((either) -> ids(either.asDocument()));
		}
		BsonDocument condition = filter.getDocument("_id");
		if (condition.containsKey("$in")) {
			return condition.getArray("$in").stream().filter((id) -> this.texts.contains(id.asString().getValue()));
		}
		return (condition.get("$gte") instanceof BsonString) ? texts(condition).stream().map(BsonString::new)
				: numbers(condition).stream().map(BsonInt64::new);
	}

	private NavigableSet<Long> numbers(BsonDocument bounds) {
		long from = check(bounds).getNumber("$gte").longValue();
		long to = bounds.getNumber("$lte", MOST).longValue();
		return (from <= to) ? this.numbers.subSet(from, true, to, true) : Collections.emptyNavigableSet();
	}

	private NavigableSet<String> texts(BsonDocument bounds) {
		return this.texts.subSet(check(bounds).getString("$gte").getValue(), true, bounds.getString("$lt").getValue(),
				false);
	}

	private static BsonDocument check(BsonDocument bounds) {
		if (!OPERATORS.containsAll(bounds.keySet())) {
			throw new IllegalArgumentException("There is no model of " + bounds);
		}
		return bounds;
	}

	/**
	 * Tells whether a document has a number of a range.
	 * @param min the lowest number
	 * @param max the highest number
	 * @return whether one has, as its id
	 */
	public boolean hasNumber(long min, long max) {
		Long next = this.numbers.ceiling(min);
		return next != null && next <= max;
	}

	/**
	 * Tells whether there is a document with a text as its id.
	 * @param id the text
	 * @return whether there is
	 */
	public boolean hasText(String id) {
		return this.texts.contains(id);
	}

	/**
	 * Finds the highest number that an id has.
	 * @param scope which ids count
	 * @return the number, or 0
	 */
	public long highest(StoredIdScope scope) {
		long number = (scope.numbers() && !this.numbers.isEmpty()) ? this.numbers.last() : 0;
		return scope.texts()
				? Math.max(number, this.texts.stream().mapToLong(StoredDocuments::numberIn).max().orElse(0)) : number;
	}

	private static long numberIn(String id) {
		int end = id.indexOf('-');
		return Long.parseLong(id, id.indexOf('/') + 1, (end >= 0) ? end : id.length(), 10);
	}

	@Override
	public String toString() {
		return this.numbers + " and " + this.texts;
	}

}
