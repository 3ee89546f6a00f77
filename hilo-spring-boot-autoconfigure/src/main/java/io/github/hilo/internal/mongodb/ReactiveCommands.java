package io.github.hilo.internal.mongodb;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import io.github.hilo.internal.store.Deadline;
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
 * @param name the database's name
 * @param database resolves the database; not bound to a session
 * @param collection the collection of the counters
 */
public record ReactiveCommands(String name, Mono<MongoDatabase> database, String collection, Cluster cluster,
		TaskTimer tasks) implements Commands {

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			IfAbsent ifAbsent, Deadline deadline) {
		return send(Lane.ofCounters(this.name), this.collection,
				(counters) -> counters.findOneAndUpdate(filter, update, CommandSettings.findOneAndUpdate(ifAbsent)),
				deadline);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
		return send(Lane.of(query, this.name, this.collection), query.collection(),
				(documents) -> documents.find(query.filter()).projection(query.projection()).sort(query.sort()).first(),
				deadline);
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, String field, List<BsonDocument> pipeline,
			Deadline deadline) {
		return send(new Lane(this.name, collection, field), collection,
				(documents) -> Flux.from(documents.aggregate(pipeline).collation(CommandSettings.BINARY)).collectList(),
				deadline)
			.thenApply(Objects::requireNonNull);
	}

	private <T> CompletionStage<@Nullable T> send(Lane lane, String collection,
			Function<MongoCollection<BsonDocument>, Publisher<T>> command, Deadline deadline) {
		return this.cluster.reactive().of(lane).<@Nullable T>send(lane, deadline, (answer) -> {
			CompletableFuture<@Nullable T> received = resolved(deadline)
				.flatMap((database) -> Mono.from(command
					.apply(CommandSettings.of(database.getCollection(collection, BsonDocument.class), deadline))))
				.toFuture();
			CompletableFuture<?> unused = received.whenComplete((result, failure) -> {
				Runnable passed = () -> CommandQueue.complete(answer, result, failure);
				try {
					this.tasks.execute(passed);
				}
				// The command must end all the same.
				catch (Throwable ex) {
					passed.run();
				}
			});
		});
	}

	/**
	 * Resolves the database in time, because otherwise a command could wait for it
	 * forever, with all callers who wait for that command.
	 */
	private Mono<MongoDatabase> resolved(Deadline deadline) {
		return Mono.defer(() -> {
			CompletableFuture<MongoDatabase> found = this.database
				// An empty answer of the command itself means that there was no document.
				.switchIfEmpty(Mono.error(() -> new IllegalStateException("The database could not be resolved")))
				.toFuture();
			this.tasks.limit(found, deadline, () -> new CommandNotSentException(
					"The command was not sent in time: the database was not resolved"));
			return Mono.fromFuture(found);
		});
	}

}
