package io.github.hilo.mongodb;

import java.math.BigDecimal;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Collation;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.Quoted;
import io.github.hilo.StoredIds;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/**
 * Ids read from the {@code _id} index, over the synchronous driver. Internal.
 * <ol>
 * <li>The highest number: <pre>
 * find({_id: {$gte: 0}}, {_id: 1}).sort({_id: -1}).limit(3)
 * </pre> A comparison with a number matches numbers only. What is not finite is passed
 * over: only one id can be Infinity, and one NaN.</li>
 * <li>Texts: <pre>
 * find({_id: {$gte: "orders/", $lt: "orders0"}}, {_id: 1})
 * </pre> The upper bound is the prefix with its last character's successor.</li>
 * </ol>
 * Both are answered by the index alone. A collection with a collation of its own has an
 * index that can't tell prefixes: there all ids are looked at.
 * <p>
 * What is missed would be issued again, and what is seen in excess leaves a gap at worst.
 * So the primary is read, with read concern {@code local}: {@code majority} would leave
 * out what was acknowledged by the primary alone, and {@code available} what a chunk
 * migration is moving.
 * <p>
 * Thread-safe.
 */
public final class MongoStoredIds implements StoredIds {

	private static final BsonDocument ID_ONLY = BsonDocument.parse("{_id: 1}");

	private static final BsonDocument DESCENDING = BsonDocument.parse("{_id: -1}");

	private static final Collation BINARY = Collation.builder().locale("simple").build();

	private final MongoDatabase database;

	/**
	 * Creates the ids of a database.
	 * @param database the database; no session may be bound to it
	 */
	public MongoStoredIds(MongoDatabase database) {
		this.database = database;
	}

	@Override
	public String database() {
		return this.database.getName();
	}

	@Override
	public @Nullable BigDecimal highestNumber(String collection) {
		return read(collection, () -> {
			FindIterable<BsonDocument> highest = find(collection, new BsonDocument("$gte", new BsonInt32(0)))
				.sort(DESCENDING)
				.limit(3);
			for (BsonDocument document : highest) {
				BsonValue id = document.get("_id");
				if (id != null && isFinite(id)) {
					return valueOf(id);
				}
			}
			return null;
		});
	}

	@Override
	public void forEachText(String collection, String prefix, Consumer<String> visitor) {
		read(collection, () -> {
			find(collection,
					new BsonDocument("$gte", new BsonString(prefix)).append("$lt", new BsonString(endOf(prefix))))
				.collation(BINARY)
				.forEach((document) -> {
					String id = document.getString("_id").getValue();
					if (id.startsWith(prefix)) {
						visitor.accept(id);
					}
				});
			return null;
		});
	}

	private FindIterable<BsonDocument> find(String collection, BsonDocument bounds) {
		MongoCollection<BsonDocument> documents = this.database.getCollection(collection, BsonDocument.class)
			.withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry())
			.withReadConcern(ReadConcern.LOCAL)
			.withReadPreference(ReadPreference.primary());
		return documents.find(new BsonDocument("_id", bounds)).projection(ID_ONLY);
	}

	private <T extends @Nullable Object> T read(String collection, Supplier<T> reading) {
		try {
			return reading.get();
		}
		catch (MongoException ex) {
			throw new HiLoUnavailableException("The ids in collection " + Quoted.name(collection) + " of database "
					+ Quoted.name(database()) + " could not be read: " + ex.getMessage(), ex);
		}
	}

	private static boolean isFinite(BsonValue id) {
		return id.isDecimal128() ? id.asDecimal128().getValue().isFinite()
				: id.isNumber() && Double.isFinite(id.asNumber().doubleValue());
	}

	private static BigDecimal valueOf(BsonValue id) {
		if (id.isDouble()) {
			return new BigDecimal(id.asDouble().getValue());
		}
		if (!id.isDecimal128()) {
			return BigDecimal.valueOf(id.asNumber().longValue());
		}
		Decimal128 value = id.asDecimal128().getValue();
		// Only -0 is both negative and at least 0, and it has no BigDecimal.
		return value.isNegative() ? BigDecimal.ZERO : value.bigDecimalValue();
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

}
