package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The commands that the store sends to one database: those that read and write its
 * counter documents, and those that read ids. The seam between the store's steps and
 * whatever carries them out: a driver, or a model of a server.
 * <p>
 * Every command goes to the primary, outside any session or transaction of the
 * application; reads have read concern {@code local}, writes are acknowledged by a
 * majority and journaled. A command that gets no such answer within its timeout fails,
 * whether or not the server applied it.
 */
public interface StoreCommands {

	/**
	 * Sends a {@code findAndModify} of a counter.
	 * @return its {@code Max} and {@code Grants} after the change, or {@code null} if
	 * nothing matched; that of another command if this one was taken for its repetition
	 */
	CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout);

	CompletionStage<@Nullable BsonDocument> findCounter(BsonDocument filter, Duration timeout);

	CompletionStage<@Nullable BsonDocument> findOne(FieldQuery query, Duration timeout);

	/**
	 * Sends an {@code aggregate} that answers a few documents. Texts are compared
	 * character by character, even in a collection that has a collation of its own.
	 */
	CompletionStage<List<BsonDocument>> aggregate(String collection, List<BsonDocument> pipeline, Duration timeout);

}
