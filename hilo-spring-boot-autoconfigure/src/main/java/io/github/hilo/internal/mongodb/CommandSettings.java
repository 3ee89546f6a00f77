package io.github.hilo.internal.mongodb;

import java.util.concurrent.TimeUnit;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoOperationTimeoutException;
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
 * Concerns and read preference of every command of the store; they override the
 * application's defaults, because the store's promises rest on them.
 * <p>
 * Ids are read with read concern {@code local}: {@code majority} would leave out what the
 * primary alone has acknowledged, and {@code available} what a chunk migration is moving.
 * An id that is missed could be issued again; an extra one only leaves a gap.
 */
final class CommandSettings {

	private static final WriteConcern WRITE_CONCERN = WriteConcern.MAJORITY.withJournal(true);

	private static final ReadConcern READ_CONCERN = ReadConcern.LOCAL;

	private static final ReadPreference READ_PREFERENCE = ReadPreference.primary();

	private static final CodecRegistry CODECS = MongoClientSettings.getDefaultCodecRegistry();

	static final Collation BINARY = Collation.builder().locale("simple").build();

	static final BsonDocument COUNTER = BsonDocument.parse("{_id: 0, Max: 1, Grants: 1}");

	private CommandSettings() {
	}

	/**
	 * Applies the settings to a collection. That a command ends in time rests on
	 * {@code withTimeout}, which the driver may change: its API is an alpha.
	 */
	static MongoCollection<BsonDocument> of(MongoCollection<BsonDocument> collection, long timeoutMillis) {
		return collection.withTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
			.withCodecRegistry(CODECS)
			.withWriteConcern(WRITE_CONCERN)
			.withReadConcern(READ_CONCERN)
			.withReadPreference(READ_PREFERENCE);
	}

	static com.mongodb.reactivestreams.client.MongoCollection<BsonDocument> of(
			com.mongodb.reactivestreams.client.MongoCollection<BsonDocument> collection, long timeoutMillis) {
		return collection.withTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
			.withCodecRegistry(CODECS)
			.withWriteConcern(WRITE_CONCERN)
			.withReadConcern(READ_CONCERN)
			.withReadPreference(READ_PREFERENCE);
	}

	/**
	 * The time that is left, as the driver takes it, to which 0 is "no timeout".
	 * @throws MongoOperationTimeoutException if none is left
	 */
	static long millisLeft(Deadline deadline) {
		if (deadline.isOver()) {
			throw new MongoOperationTimeoutException("No time was left to send the command");
		}
		return 1 + deadline.left().toMillis();
	}

	static FindOneAndUpdateOptions findOneAndUpdate(boolean upsert) {
		// Never without the projection: mongo-java-server then answers values that other
		// callers got as well.
		return new FindOneAndUpdateOptions().upsert(upsert).projection(COUNTER).returnDocument(ReturnDocument.AFTER);
	}

}
