package io.github.hilo.internal.counter;

import java.util.List;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.mongodb.BsonText;
import io.github.hilo.internal.text.Names;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One counter document: the filters and updates for it, and what messages say about it.
 * <p>
 * No update changes a field other than {@code Max} and {@code Grants}. A filter with a
 * condition on {@code Max} never matches a malformed {@code Max}, so {@code $inc} and
 * {@code $set} cannot overwrite it. Each of these filters names the type, because 32 also
 * matches a decimal 32, and excludes arrays, because a condition matches an array if one
 * element meets the condition.
 */
record CounterDocument(String id, String sequence, String database, String collection) {

	static final String MAX = "Max";

	static final String GRANTS = "Grants";

	// The latest grant, by which a client recognizes its own write, and the grant before,
	// which proves that two ranges are adjacent and can be returned as one.
	private static final int KEPT_GRANTS = 2;

	// Below this, every integral double stands for exactly one integer.
	private static final double EXACT_DOUBLES = 1L << 53;

	static final String SET_MAX = "{$set: {Max: NumberLong(\"…\")}}";

	private static final BsonDocument ARRAY = new BsonDocument("$type", new BsonString("array"));

	private static final BsonArray INTEGERS = new BsonArray(List.of(new BsonString("int"), new BsonString("long")));

	/**
	 * Returns a filter for a counter that is at least at the floor, and to which a size
	 * can be added without passing the end of all counters.
	 */
	BsonDocument countable(long floor, long size) {
		return withMax(new BsonDocument("$type", INTEGERS).append("$gte", new BsonInt64(floor))
			.append("$lte", new BsonInt64(HiLoIdGenerator.MAX_NUMBER - size)));
	}

	BsonDocument behind(long floor) {
		return withMax(new BsonDocument("$type", INTEGERS).append("$gte", new BsonInt64(0))
			.append("$lt", new BsonInt64(floor)));
	}

	BsonDocument withDouble(long value) {
		return withMax(
				new BsonDocument("$type", new BsonString("double")).append("$eq", new BsonDouble((double) value)));
	}

	/**
	 * Returns a filter for a counter to which nobody has written since a reservation, so
	 * that its range can be returned.
	 */
	BsonDocument returnable(long max, BsonArray grants) {
		return withMax(new BsonDocument("$type", INTEGERS).append("$eq", new BsonInt64(max))).append(GRANTS, grants);
	}

	BsonDocument byId() {
		return new BsonDocument("_id", new BsonString(this.id));
	}

	static BsonDocument countUp(long size, BsonValue grant) {
		return renew(grant).append("$inc", new BsonDocument(MAX, new BsonInt64(size)));
	}

	static BsonDocument moveTo(long max, BsonValue grant) {
		return renew(grant).append("$set", new BsonDocument(MAX, new BsonInt64(max)));
	}

	static BsonDocument renew(BsonValue grant) {
		return new BsonDocument("$push",
				new BsonDocument(GRANTS,
						new BsonDocument("$each", new BsonArray(List.of(grant))).append("$position", new BsonInt32(0))
							.append("$slice", new BsonInt32(KEPT_GRANTS))));
	}

	static BsonDocument createAt(long max, BsonValue grant) {
		return new BsonDocument("$setOnInsert",
				new BsonDocument(MAX, new BsonInt64(max)).append(GRANTS, new BsonArray(List.of(grant))));
	}

	/**
	 * Returns whether an answer shows the grant that a write has sent. Such an answer
	 * shows the counter as this write has left it.
	 */
	static boolean isOwn(BsonDocument after, BsonValue grant) {
		return after.get(GRANTS) instanceof BsonArray grants && grants.indexOf(grant) == 0;
	}

	static long standsAt(BsonDocument after) {
		return after.getNumber(MAX).longValue();
	}

	private BsonDocument withMax(BsonDocument condition) {
		return byId().append(MAX, condition.append("$not", ARRAY));
	}

	/**
	 * Reads the counter, which may be an int32, an int64 or an integral double of at
	 * least 0.
	 * @throws HiLoDocumentException if the counter is anything else, or the grants are no
	 * array
	 */
	Max maxOf(BsonDocument found) {
		if (found.containsKey(GRANTS) && !found.isArray(GRANTS)) {
			throw new HiLoDocumentException(rejection("is malformed: " + BsonText.of(GRANTS, found.get(GRANTS))
					+ ", and it must be an array. Remove that field", "{$unset: {Grants: 1}}"));
		}
		BsonValue max = found.get(MAX);
		if (max != null && max.isNumber() && !max.isDecimal128()) {
			long value = max.asNumber().longValue();
			boolean exact = !max.isDouble() || (value < EXACT_DOUBLES && max.asDouble().getValue() == value);
			if (value >= 0 && exact) {
				return new Max(value, max.isDouble());
			}
		}
		throw new HiLoDocumentException(rejection("is malformed: " + BsonText.of(MAX, max)
				+ ", and it must be a 64-bit integer of at least 0. Stop every process, which may hold higher numbers, and set it to the highest"
				+ " id in use", SET_MAX));
	}

	/**
	 * Creates the exception for a counter to which a size cannot be added, or which
	 * stands beyond the end of all counters.
	 * @param size how many numbers were requested, or 0 if the counter was to be raised
	 */
	HiLoExhaustedException exhausted(long max, long size) {
		return new HiLoExhaustedException(rejection("is exhausted: "
				+ ((size > 0) ? size + " numbers above " + max + " would exceed "
						: BsonText.of(MAX, new BsonInt64(max)) + ", and every counter ends at ")
				+ HiLoIdGenerator.MAX_NUMBER
				+ ". Either somebody set it too high, or it was created above a stored id that is too high; the highest"
				+ " id in the sequence's collections shows which. Stop every process, and set it to the highest id"
				+ " below the mistake", SET_MAX));
	}

	String rejection(String why, String update) {
		return "The counter document " + Names.quoted(this.id) + " in " + place() + ", which " + describe()
				+ " counts in, " + why + ", for example with " + update + ". The document was not changed.";
	}

	String describe() {
		return "sequence " + Names.quoted(this.sequence) + " of database " + Names.quoted(this.database);
	}

	String place() {
		return "collection " + Names.quoted(this.collection) + " of database " + Names.quoted(this.database);
	}

	/**
	 * A value of {@code Max} that can be counted up or raised.
	 *
	 * @param value the highest number granted to any client, at least 0
	 * @param isDouble whether the value is a double, as the mongo shell writes numbers
	 */
	record Max(long value, boolean isDouble) {

		/**
		 * Returns the lowest integer to which the counter can be set: a double is raised
		 * to the next one.
		 */
		long integer() {
			return this.isDouble ? this.value + 1 : this.value;
		}

	}

}
