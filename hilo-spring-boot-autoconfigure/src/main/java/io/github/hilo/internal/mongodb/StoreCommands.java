package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands of the store to one database: those that read and write its counter
 * documents, and those that read ids. Implementations use a driver, or a model of a
 * server.
 * <p>
 * Every command goes to the primary, outside any session or transaction of the
 * application. Reads have read concern {@code local}; writes are acknowledged by a
 * majority and journaled. A command that gets no such answer within its timeout fails,
 * whether or not the server applied it.
 */
public interface StoreCommands {

	/**
	 * Sends a {@code findAndModify} of a counter.
	 * @return {@code Max} and {@code Grants} after the change, or {@code null} if nothing
	 * matched; after the change of another command, if the server took this one for its
	 * repetition
	 */
	CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout);

	CompletionStage<@Nullable BsonDocument> findCounter(BsonDocument filter, Duration timeout);

	CompletionStage<@Nullable BsonDocument> findOne(FieldQuery query, Duration timeout);

	/**
	 * Sends an {@code aggregate} that returns a few documents. Texts are compared
	 * character by character, even if the collection has a collation of its own.
	 */
	CompletionStage<List<BsonDocument>> aggregate(String collection, List<BsonDocument> pipeline, Duration timeout);

}
