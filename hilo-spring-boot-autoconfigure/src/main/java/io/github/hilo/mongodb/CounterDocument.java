package io.github.hilo.mongodb;

import java.util.List;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.store.Names;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * One counter document: the filters and updates on it, and what messages say of it. No
 * update touches a field other than {@code Max} and {@code Grant}, and no filter admits a
 * {@code Max} that is not a number: a bare {@code $max} or {@code $inc} would overwrite
 * what is malformed.
 *
 * @param id the document's {@code _id}
 * @param sequence the sequence that counts in it
 * @param database the database's name
 * @param collection the name of the collection of the counter documents
 */
record CounterDocument(String id, String sequence, String database, String collection) {

	static final String MAX = "Max";

	static final String GRANT = "Grant";

	/**
	 * Below it every integral double stands for exactly one integer.
	 */
	private static final double EXACT_DOUBLES = 1L << 53;

	private static final BsonArray INTEGERS = new BsonArray(List.of(new BsonString("int"), new BsonString("long")));

	/**
	 * Admits a counter that can be counted up by a size without falling below the floor
	 * or overflowing.
	 */
	BsonDocument countable(long floor, long size) {
		return withMax(new BsonDocument("$type", INTEGERS).append("$gte", new BsonInt64(floor))
			.append("$lte", new BsonInt64(Long.MAX_VALUE - size)));
	}

	/**
	 * Admits a counter that has fallen behind the floor.
	 */
	BsonDocument behind(long floor) {
		return withMax(new BsonDocument("$type", INTEGERS).append("$gte", new BsonInt64(0))
			.append("$lt", new BsonInt64(floor)));
	}

	/**
	 * Admits a counter that still stands at a certain double.
	 */
	BsonDocument isDouble(long value) {
		return withMax(
				new BsonDocument("$type", new BsonString("double")).append("$eq", new BsonDouble((double) value)));
	}

	/**
	 * Admits a counter that nobody was granted anything from since a certain grant.
	 */
	BsonDocument latest(long max, BsonValue grant) {
		return withMax(new BsonInt64(max)).append(GRANT, grant);
	}

	/**
	 * Admits the document whatever it holds.
	 */
	BsonDocument any() {
		return new BsonDocument("_id", new BsonString(this.id));
	}

	static BsonDocument countUp(long size, BsonValue grant) {
		return new BsonDocument("$inc", new BsonDocument(MAX, new BsonInt64(size))).append("$set",
				new BsonDocument(GRANT, grant));
	}

	static BsonDocument moveTo(long max, BsonValue grant) {
		return new BsonDocument("$set", state(max, grant));
	}

	static BsonDocument renew(BsonValue grant) {
		return new BsonDocument("$set", new BsonDocument(GRANT, grant));
	}

	static BsonDocument createAt(long max, BsonValue grant) {
		return new BsonDocument("$setOnInsert", state(max, grant));
	}

	private static BsonDocument state(long max, BsonValue grant) {
		return new BsonDocument(MAX, new BsonInt64(max)).append(GRANT, grant);
	}

	private BsonDocument withMax(BsonValue condition) {
		return any().append(MAX, condition);
	}

	/**
	 * Reads the counter.
	 * @param found its document
	 * @return where it stands
	 * @throws HiLoDocumentException if that is anything but an int32, an int64 or an
	 * integral double of at least 0
	 */
	Max maxOf(BsonDocument found) {
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
				+ " id in use"));
	}

	/**
	 * Tells that the document cannot be counted in.
	 * @param why what is wrong with it, and what to set it to
	 * @return the message of an exception
	 */
	String rejection(String why) {
		return "The counter document " + Names.quoted(this.id) + " in " + place() + ", which " + describe()
				+ " counts in, " + why
				+ ", for example with {$set: {Max: NumberLong(\"…\")}}. The document was not changed.";
	}

	/**
	 * Names the sequence, for a message.
	 */
	String describe() {
		return "sequence " + Names.quoted(this.sequence) + " of database " + Names.quoted(this.database);
	}

	/**
	 * Names the collection of the counter, for a message.
	 */
	String place() {
		return "collection " + Names.quoted(this.collection) + " of database " + Names.quoted(this.database);
	}

	/**
	 * What stands in {@code Max}, if it can be counted up or rewritten.
	 *
	 * @param value the highest number granted to any client, at least 0
	 * @param isDouble whether it is a double, as the mongo shell writes them, which must
	 * be rewritten as an integer
	 */
	record Max(long value, boolean isDouble) {
	}

}
