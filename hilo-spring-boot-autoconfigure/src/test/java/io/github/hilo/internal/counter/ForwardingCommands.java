package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.hilo.internal.mongodb.FieldQuery;
import io.github.hilo.internal.mongodb.StoreCommands;
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
			boolean upsert, Duration timeout) {
		return this.commands.findOneAndUpdate(filter, update, upsert, timeout);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findCounter(BsonDocument filter, Duration timeout) {
		return this.commands.findCounter(filter, timeout);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(FieldQuery query, Duration timeout) {
		return this.commands.findOne(query, timeout);
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, List<BsonDocument> pipeline,
			Duration timeout) {
		return this.commands.aggregate(collection, pipeline, timeout);
	}

}
