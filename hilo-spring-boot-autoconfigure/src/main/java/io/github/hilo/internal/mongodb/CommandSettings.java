package io.github.hilo.internal.mongodb;

import java.util.concurrent.TimeUnit;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.github.hilo.internal.store.Deadline;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * The concerns and the read preference of every command of the store. They override the
 * application's defaults, because the store's promises depend on them.
 * <p>
 * Ids are read with read concern {@code local}. With {@code majority} a find would miss
 * documents that only the primary has acknowledged, and with {@code available} documents
 * that a chunk migration is moving. An id that is missed could be issued again, but one
 * too many only leaves a gap.
 */
final class CommandSettings {

	private static final WriteConcern WRITE_CONCERN = WriteConcern.MAJORITY.withJournal(true);

	private static final ReadConcern READ_CONCERN = ReadConcern.LOCAL;

	private static final ReadPreference READ_PREFERENCE = ReadPreference.primary();

	private static final CodecRegistry CODECS = MongoClientSettings.getDefaultCodecRegistry();

	static final Collation BINARY = Collation.builder().locale("simple").build();

	private CommandSettings() {
	}

	/**
	 * Applies the settings to a collection. Commands end in time because of
	 * {@code withTimeout}, an alpha API that the driver may change.
	 */
	static MongoCollection<BsonDocument> of(MongoCollection<BsonDocument> collection, Deadline deadline) {
		return collection.withTimeout(millisLeft(deadline), TimeUnit.MILLISECONDS)
			.withCodecRegistry(CODECS)
			.withWriteConcern(WRITE_CONCERN)
			.withReadConcern(READ_CONCERN)
			.withReadPreference(READ_PREFERENCE);
	}

	static com.mongodb.reactivestreams.client.MongoCollection<BsonDocument> of(
			com.mongodb.reactivestreams.client.MongoCollection<BsonDocument> collection, Deadline deadline) {
		return collection.withTimeout(millisLeft(deadline), TimeUnit.MILLISECONDS)
			.withCodecRegistry(CODECS)
			.withWriteConcern(WRITE_CONCERN)
			.withReadConcern(READ_CONCERN)
			.withReadPreference(READ_PREFERENCE);
	}

	/**
	 * Returns the time that is left, but at least 1 ms, because 0 means "no timeout" to
	 * the driver.
	 */
	private static long millisLeft(Deadline deadline) {
		if (deadline.isOver()) {
			throw CommandNotSentException.withoutTime();
		}
		return 1 + deadline.left().toMillis();
	}

	static FindOneAndUpdateOptions findOneAndUpdate(Commands.IfAbsent ifAbsent) {
		// Always with the projection, because mongo-java-server otherwise returns values
		// that other callers got as well.
		return new FindOneAndUpdateOptions().upsert(ifAbsent == Commands.IfAbsent.CREATE)
			.projection(Commands.COUNTER)
			.returnDocument(ReturnDocument.AFTER);
	}

}
