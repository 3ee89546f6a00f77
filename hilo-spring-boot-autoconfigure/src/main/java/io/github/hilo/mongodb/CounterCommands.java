package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The three commands that the store sends, to one collection of one database. The seam
 * between the store's steps and whatever carries them out: a driver, or a model of a
 * server.
 * <p>
 * Every command goes to the primary, outside any session or transaction of the
 * application; writes are acknowledged by a majority and journaled. A command that gets
 * no such answer within its timeout fails, whether or not the server applied it.
 */
interface CounterCommands {

	/**
	 * Sends a {@code findAndModify} that answers {@code Max} and {@code Grant} as they
	 * were before.
	 */
	CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout);

	/**
	 * Sends an {@code update} of one document.
	 * @return whether the filter matched
	 */
	CompletionStage<Boolean> updateOne(BsonDocument filter, BsonDocument update, boolean upsert, Duration timeout);

	/**
	 * Sends a {@code find} of one document by its {@code _id}.
	 */
	CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout);

}
