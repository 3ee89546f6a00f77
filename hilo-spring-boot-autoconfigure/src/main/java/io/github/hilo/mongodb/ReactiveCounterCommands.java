package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The commands, sent by the reactive driver. Its answers are handed to a thread of our
 * own before anything is done with them: what follows may wait for a lock. A caller's
 * cancellation or transaction can't reach them: they know nothing of its context.
 */
final class ReactiveCounterCommands implements CounterCommands {

	private final Mono<MongoDatabase> database;

	private final String collection;

	private final Executor executor;

	/**
	 * Creates commands on a collection. Does nothing else yet: where the database is
	 * resolved on every call, most of these objects never send one.
	 */
	ReactiveCounterCommands(Mono<MongoDatabase> database, String collection, Executor executor) {
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
		return send((counters) -> counters.updateOne(filter, update, options), timeout)
			.thenApply((result) -> result != null && result.getMatchedCount() > 0);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout) {
		return send((counters) -> counters.find(new BsonDocument("_id", new BsonString(id))).first(), timeout);
	}

	private <T> CompletionStage<@Nullable T> send(Function<MongoCollection<BsonDocument>, Publisher<T>> command,
			Duration timeout) {
		long deadlineNanos = System.nanoTime() + timeout.toNanos();
		CompletableFuture<@Nullable T> answer = this.database
			.timeout(timeout,
					Mono.error(() -> new MongoOperationTimeoutException("The database was not resolved in time")))
			// An empty answer of the command itself means that there was no document.
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("The database could not be resolved")))
			.flatMap((database) -> Mono.from(command.apply(counters(database, deadlineNanos))))
			.toFuture();
		return answer.whenCompleteAsync((result, failure) -> {
		}, this.executor);
	}

	private MongoCollection<BsonDocument> counters(MongoDatabase database, long deadlineNanos) {
		// Resolving the database counts too, and the driver takes 0 for "no timeout".
		long leftNanos = deadlineNanos - System.nanoTime();
		if (leftNanos <= 0) {
			throw new MongoOperationTimeoutException("No time was left to send the command");
		}
		return database.getCollection(this.collection, BsonDocument.class)
			.withTimeout(1 + TimeUnit.NANOSECONDS.toMillis(leftNanos), TimeUnit.MILLISECONDS)
			.withCodecRegistry(CommandSettings.CODECS)
			.withWriteConcern(CommandSettings.WRITE_CONCERN)
			.withReadConcern(CommandSettings.READ_CONCERN)
			.withReadPreference(CommandSettings.READ_PREFERENCE);
	}

}
