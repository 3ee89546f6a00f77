package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends commands by the reactive driver. A thread of the library receives each answer
 * before anything is done with it, because what follows may wait for a lock. The commands
 * do not see the context of a caller, so its cancellation and its transaction cannot
 * reach them.
 *
 * @param database resolves the database; not bound to a session
 */
public record ReactiveStoreCommands(Mono<MongoDatabase> database, String collection,
		TaskTimer executor) implements StoreCommands {

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			boolean upsert, Duration timeout) {
		return send(this.collection,
				(counters) -> counters.findOneAndUpdate(filter, update, CommandSettings.findOneAndUpdate(upsert)),
				timeout);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findCounter(BsonDocument filter, Duration timeout) {
		return send(this.collection, (counters) -> counters.find(filter).projection(CommandSettings.COUNTER).first(),
				timeout);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(FieldQuery query, Duration timeout) {
		return send(query.collection(),
				(documents) -> documents.find(query.filter()).projection(query.projection()).sort(query.sort()).first(),
				timeout);
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, List<BsonDocument> pipeline,
			Duration timeout) {
		return send(collection,
				(documents) -> Flux.from(documents.aggregate(pipeline).collation(CommandSettings.BINARY)).collectList(),
				timeout)
			.thenApply(Objects::requireNonNull);
	}

	private <T> CompletionStage<@Nullable T> send(String collection,
			Function<MongoCollection<BsonDocument>, Publisher<T>> command, Duration timeout) {
		// The time to resolve the database counts, too.
		Deadline deadline = new Deadline(timeout, TimeSource.SYSTEM);
		CompletableFuture<@Nullable T> answer = resolved(timeout)
			.flatMap((database) -> Mono
				.from(command.apply(within(database, collection, CommandSettings.millisLeft(deadline)))))
			.toFuture();
		return answer.whenCompleteAsync((result, failure) -> {
		}, this.executor);
	}

	/**
	 * Resolves the database within the timeout, because otherwise a command could wait
	 * for it forever, with all callers who wait for that command.
	 */
	private Mono<MongoDatabase> resolved(Duration timeout) {
		return Mono.defer(() -> {
			CompletableFuture<MongoDatabase> found = this.database
				// An empty answer of the command itself means that there was no document.
				.switchIfEmpty(Mono.error(() -> new IllegalStateException("The database could not be resolved")))
				.toFuture();
			if (!found.isDone()) {
				Runnable cancel = this.executor.after(timeout, this.executor, () -> found
					.completeExceptionally(new MongoOperationTimeoutException("The database was not resolved")));
				CompletableFuture<?> unused = found.whenComplete((database, failure) -> cancel.run());
			}
			return Mono.fromFuture(found);
		});
	}

	private static MongoCollection<BsonDocument> within(MongoDatabase database, String collection, long timeoutMillis) {
		return CommandSettings.of(database.getCollection(collection, BsonDocument.class), timeoutMillis);
	}

}
