package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The commands that the store sends to one database: those that read and write its
 * counter documents, and those that read ids and indexes. The seam between the store's
 * steps and whatever carries them out: a driver, or a model of a server.
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

	CompletionStage<List<BsonDocument>> listIndexes(String collection, Duration timeout);

	/**
	 * Visits every document that a {@code find} answers, however many, on a thread that
	 * serves nothing else.
	 * @param visitor is given each document, with nothing but the field that was asked
	 * for; what it throws ends the visit
	 */
	CompletionStage<@Nullable Void> forEach(FieldQuery query, Consumer<BsonDocument> visitor, Duration stepTimeout);

}
