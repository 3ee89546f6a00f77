package io.github.hilo.mongodb;

import java.util.List;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The filters and updates on one counter document. No update touches a field other than
 * {@code Max} and {@code Grant}, and no filter admits a {@code Max} that is not a number:
 * a bare {@code $max} or {@code $inc} would overwrite what is malformed.
 *
 * @param id the document's {@code _id}
 */
record CounterDocument(String id) {

	static final String MAX = "Max";

	static final String GRANT = "Grant";

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

}
