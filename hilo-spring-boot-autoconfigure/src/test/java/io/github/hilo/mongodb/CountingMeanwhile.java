package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.fixture.CounterModel;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Commands of a client that somebody else is always quicker than: after every read the
 * counter is changed.
 */
final class CountingMeanwhile implements StoreCommands {

	private final CounterModel documents;

	private final StoreCommands commands;

	private final @Nullable BsonValue max;

	private int reads;

	/**
	 * Creates the commands.
	 * @param max what the counter is set to after a read, or {@code null} for another
	 * double every time
	 */
	CountingMeanwhile(CounterModel documents, @Nullable BsonValue max) {
		this.documents = documents;
		this.commands = new ModelCommands(documents);
		this.max = max;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			Duration timeout) {
		return this.commands.findOneAndUpdate(filter, update, timeout);
	}

	@Override
	public CompletionStage<Boolean> updateOne(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout) {
		return this.commands.updateOne(filter, update, upsert, timeout);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout) {
		CompletionStage<@Nullable BsonDocument> found = this.commands.findById(id, timeout);
		BsonValue next = (this.max != null) ? this.max : new BsonDouble(100 + ++this.reads);
		this.documents.put(new BsonDocument("_id", new BsonString(id)).append(CounterDocument.MAX, next));
		return found;
	}

	@Override
	public CompletionStage<List<BsonDocument>> findIds(IdQuery query, Duration timeout) {
		return this.commands.findIds(query, timeout);
	}

	@Override
	public CompletionStage<List<BsonDocument>> listIndexes(String collection, Duration timeout) {
		return this.commands.listIndexes(collection, timeout);
	}

	@Override
	public CompletionStage<@Nullable Void> forEachId(IdQuery query, Consumer<BsonDocument> visitor,
			Duration stepTimeout) {
		return this.commands.forEachId(query, visitor, stepTimeout);
	}

}
