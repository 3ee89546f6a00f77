package io.github.hilo.internal.counter;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.Place;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The documents of some collections, of which only the ids are known. It is never
 * changed, only replaced. Whatever else than the finds of the checks it is asked fails,
 * rather than being taken for something that it is not.
 */
public final class StoredDocuments {

	/**
	 * No document.
	 */
	public static final StoredDocuments NONE = new StoredDocuments(Map.of(), Map.of());

	private static final long MOST = Long.MAX_VALUE;

	private static final Set<String> OPERATORS = Set.of("$gt", "$gte", "$lte", "$lt", "$regex");

	private final Map<String, NavigableSet<Long>> numbers;

	private final Map<String, NavigableSet<String>> texts;

	private StoredDocuments(Map<String, NavigableSet<Long>> numbers, Map<String, NavigableSet<String>> texts) {
		this.numbers = numbers;
		this.texts = texts;
	}

	/**
	 * Takes the numbers and the texts from two.
	 */
	static StoredDocuments of(StoredDocuments numbers, StoredDocuments texts) {
		return new StoredDocuments(numbers.numbers, texts.texts);
	}

	/**
	 * Adds documents.
	 */
	StoredDocuments with(String collection, Collection<BsonValue> ids) {
		NavigableSet<Long> numbers = new TreeSet<>(numbers(collection));
		NavigableSet<String> texts = new TreeSet<>(texts(collection));
		for (BsonValue id : ids) {
			if (id.isString()) {
				texts.add(id.asString().getValue());
			}
			else {
				numbers.add(id.asNumber().longValue());
			}
		}
		return new StoredDocuments(with(this.numbers, collection, numbers), with(this.texts, collection, texts));
	}

	private static <T> Map<String, NavigableSet<T>> with(Map<String, NavigableSet<T>> before, String collection,
			NavigableSet<T> ids) {
		Map<String, NavigableSet<T>> after = new HashMap<>(before);
		after.put(collection, ids);
		return after;
	}

	/**
	 * Keeps the texts of a collection that are among the other documents as well.
	 */
	StoredDocuments withTextsInBoth(String collection, StoredDocuments other) {
		NavigableSet<String> both = new TreeSet<>(texts(collection));
		both.retainAll(other.texts(collection));
		return new StoredDocuments(this.numbers, with(this.texts, collection, both));
	}

	StoredDocuments withNumbersOf(String collection, StoredDocuments other) {
		return new StoredDocuments(with(this.numbers, collection, other.numbers(collection)), this.texts);
	}

	StoredDocuments withTextsOf(String collection, StoredDocuments other) {
		return new StoredDocuments(this.numbers, with(this.texts, collection, other.texts(collection)));
	}

	private NavigableSet<Long> numbers(String collection) {
		return this.numbers.getOrDefault(collection, Collections.emptyNavigableSet());
	}

	private NavigableSet<String> texts(String collection) {
		return this.texts.getOrDefault(collection, Collections.emptyNavigableSet());
	}

	/**
	 * Answers a find.
	 */
	@Nullable BsonDocument find(Query query) {
		return conditions(query).stream()
			.flatMap((condition) -> matching(query, condition))
			.findFirst()
			.map((id) -> new BsonDocument("_id", id))
			.orElse(null);
	}

	/**
	 * The conditions for ids, of which one is met.
	 */
	static List<BsonDocument> conditions(Query query) {
		BsonArray any = query.filter().getArray("$or", new BsonArray(List.of(query.filter())));
		return any.stream().map((filter) -> {
			BsonDocument condition = new BsonDocument();
			filter.asDocument()
				.getArray("$and", new BsonArray(List.of(filter)))
				.forEach((part) -> condition.putAll(part.asDocument().getDocument("_id")));
			return condition;
		}).toList();
	}

	private Stream<? extends BsonValue> matching(Query query, BsonDocument condition) {
		if (isText(condition)) {
			Pattern form = Pattern.compile(condition.getString("$regex", new BsonString("")).getValue());
			NavigableSet<String> texts = textsIn(query.collection(), condition);
			return (asksForTheHighest(query) ? texts.descendingSet() : texts).stream()
				.filter((id) -> form.matcher(id).find())
				.map(BsonString::new);
		}
		NavigableSet<Long> numbers = numbersIn(query.collection(), condition);
		return (asksForTheHighest(query) ? numbers.descendingSet() : numbers).stream().map(BsonInt64::new);
	}

	static boolean asksForTheHighest(Query query) {
		return query.sort() != null && query.sort().containsValue(new BsonInt32(-1));
	}

	static boolean isText(BsonDocument condition) {
		return condition.isString("$gte");
	}

	/**
	 * Answers an aggregate: the greatest text for each number of digits.
	 */
	List<BsonDocument> aggregate(String collection, List<BsonDocument> pipeline) {
		BsonArray match = pipeline.get(0).getDocument("$match").getArray("$and");
		Pattern form = Pattern.compile(match.get(1).asDocument().getDocument("_id").getString("$regex").getValue());
		BsonDocument bounds = match.get(0).asDocument().getDocument("_id");
		int head = headIn(pipeline);
		NavigableMap<Integer, String> greatest = new TreeMap<>();
		textsIn(collection, bounds).stream()
			.filter((id) -> form.matcher(id).find())
			.map((id) -> id.substring(head))
			.forEach((rest) -> greatest.put((rest + "-").indexOf('-'), rest));
		return greatest.entrySet()
			.stream()
			.map((group) -> new BsonDocument("_id", new BsonInt32(group.getKey())).append("max",
					new BsonString(group.getValue())))
			.toList();
	}

	/**
	 * Finds how many characters precede the numbers that an aggregate counts.
	 */
	static int headIn(List<BsonDocument> pipeline) {
		BsonDocument bounds = pipeline.get(0).getDocument("$match").getArray("$and").get(0).asDocument();
		return bounds.getDocument("_id").getString("$gte").getValue().length() - 1;
	}

	private NavigableSet<Long> numbersIn(String collection, BsonDocument condition) {
		BsonDocument bounds = check(condition);
		BsonNumber above = bounds.getNumber("$gt", new BsonInt64(-1));
		long from = bounds.getNumber("$gte", new BsonInt64(above.longValue() + 1)).longValue();
		long to = bounds.getNumber("$lte", new BsonInt64(MOST)).longValue();
		return (from <= to) ? numbers(collection).subSet(from, true, to, true) : Collections.emptyNavigableSet();
	}

	private NavigableSet<String> textsIn(String collection, BsonDocument condition) {
		BsonDocument bounds = check(condition);
		String from = bounds.getString("$gte").getValue();
		String to = bounds.getString("$lt").getValue();
		return (from.compareTo(to) < 0) ? texts(collection).subSet(from, true, to, false)
				: Collections.emptyNavigableSet();
	}

	private static BsonDocument check(BsonDocument bounds) {
		if (!OPERATORS.containsAll(bounds.keySet())) {
			throw new IllegalArgumentException("There is no model of " + bounds);
		}
		return bounds;
	}

	/**
	 * Tells whether a document has a number of a range.
	 */
	public boolean hasNumber(List<Place> places, long min, long max) {
		return places.stream()
			.map((place) -> numbers(place.collection()).ceiling(min))
			.anyMatch((next) -> next != null && next <= max);
	}

	/**
	 * Tells whether there is a document with a text as its id.
	 */
	public boolean hasText(List<Place> places, String id) {
		return places.stream().anyMatch((place) -> texts(place.collection()).contains(id));
	}

	/**
	 * Tells whether a document has an id.
	 */
	public boolean has(Place place, Object id) {
		return (id instanceof Long number) ? numbers(place.collection()).contains(number)
				: texts(place.collection()).contains((String) id);
	}

	/**
	 * Finds the highest number that an id has.
	 */
	public long highest(List<Place> places) {
		return places.stream().flatMap((place) -> {
			return (place.form() == IdForm.TEXT) ? texts(place.collection()).stream().map(StoredDocuments::numberIn)
					: numbers(place.collection()).stream();
		}).max(Long::compare).orElse(0L);
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
