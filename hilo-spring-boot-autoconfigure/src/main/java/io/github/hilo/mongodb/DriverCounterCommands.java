package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The commands, sent by the synchronous driver on threads of our own: a caller's
 * interruption or transaction can't reach them.
 */
final class DriverCounterCommands implements CounterCommands {

	private final MongoDatabase database;

	private final String collection;

	private final Executor executor;

	/**
	 * Creates commands on a collection. Does nothing else yet: where the database is
	 * resolved on every call, most of these objects never send one.
	 */
	DriverCounterCommands(MongoDatabase database, String collection, Executor executor) {
		this.database = database;
		this.collection = collection;
		this.executor = executor;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			boolean upsert, Duration timeout) {
		return send((counters) -> counters.findOneAndUpdate(filter, update, CommandSettings.findOneAndUpdate(upsert)),
				timeout);
	}

	@Override
	public CompletionStage<Boolean> updateOne(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout) {
		UpdateOptions options = new UpdateOptions().upsert(upsert);
		return send((counters) -> counters.updateOne(filter, update, options).getMatchedCount() > 0, timeout);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout) {
		return send((counters) -> counters.find(new BsonDocument("_id", new BsonString(id))).first(), timeout);
	}

	private <T extends @Nullable Object> CompletionStage<T> send(Function<MongoCollection<BsonDocument>, T> command,
			Duration timeout) {
		long deadlineNanos = System.nanoTime() + timeout.toNanos();
		try {
			return CompletableFuture.supplyAsync(() -> apply(command, deadlineNanos), this.executor);
		}
		catch (RejectedExecutionException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private <T extends @Nullable Object> T apply(Function<MongoCollection<BsonDocument>, T> command,
			long deadlineNanos) {
		// The wait for a thread counts too, and the driver takes 0 for "no timeout".
		long leftNanos = deadlineNanos - System.nanoTime();
		if (leftNanos <= 0) {
			throw new MongoOperationTimeoutException("No time was left to send the command");
		}
		return command
			.apply(counters().withTimeout(1 + TimeUnit.NANOSECONDS.toMillis(leftNanos), TimeUnit.MILLISECONDS));
	}

	private MongoCollection<BsonDocument> counters() {
		return this.database.getCollection(this.collection, BsonDocument.class)
			.withCodecRegistry(CommandSettings.CODECS)
			.withWriteConcern(CommandSettings.WRITE_CONCERN)
			.withReadConcern(CommandSettings.READ_CONCERN)
			.withReadPreference(CommandSettings.READ_PREFERENCE);
	}

}
