package io.github.hilo.internal.counter;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.Deadline;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Commands that others carry out.
 */
class ForwardingCommands implements StoreCommands {

	private final StoreCommands commands;

	/**
	 * Creates commands.
	 * @param commands what carries them out
	 */
	ForwardingCommands(StoreCommands commands) {
		this.commands = commands;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			boolean upsert, Deadline deadline) {
		return this.commands.findOneAndUpdate(filter, update, upsert, deadline);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
		return this.commands.findOne(query, deadline);
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, List<BsonDocument> pipeline,
			Deadline deadline) {
		return this.commands.aggregate(collection, pipeline, deadline);
	}

}
