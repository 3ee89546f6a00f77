package io.github.hilo.internal.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.store.Deadline;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands by the synchronous driver on the library's own threads, where no
 * interruption and no transaction of a caller can reach them.
 *
 * @param database supplies the database; not bound to a session
 * @param collection the collection of the counters
 * @param executor sends the commands on counters
 * @param finds sends the commands on other collections
 * @param tasks ends commands for which no thread was free in time
 */
public record DriverCommands(Supplier<MongoDatabase> database, String collection, Executor executor, Executor finds,
		TaskTimer tasks) implements Commands {

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			boolean upsert, Deadline deadline) {
		return send(this.collection,
				(counters) -> counters.findOneAndUpdate(filter, update, CommandSettings.findOneAndUpdate(upsert)),
				deadline);
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
		return send(query.collection(),
				(documents) -> documents.find(query.filter()).projection(query.projection()).sort(query.sort()).first(),
				deadline);
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, List<BsonDocument> pipeline,
			Deadline deadline) {
		return send(collection,
				(documents) -> documents.aggregate(pipeline).collation(CommandSettings.BINARY).into(new ArrayList<>()),
				deadline);
	}

	private <T extends @Nullable Object> CompletionStage<T> send(String collection,
			Function<MongoCollection<BsonDocument>, T> command, Deadline deadline) {
		CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
		CompletableFuture<T> answer = turn.thenApply((begun) -> command
			.apply(CommandSettings.of(this.database.get().getCollection(collection, BsonDocument.class), deadline)));
		try {
			// Before the future can complete: otherwise the thread that adds a stage to
			// the
			// future could run the command.
			this.tasks.limit(turn, deadline, () -> new HiLoUnavailableException(
					"The command was not sent: all threads that send commands to this cluster were busy"));
			(collection.equals(this.collection) ? this.executor : this.finds).execute(() -> turn.complete(null));
		}
		// For example, no thread could be created.
		catch (Throwable ex) {
			turn.completeExceptionally(ex);
		}
		return answer;
	}

}
