package io.github.hilo.internal.mongodb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands by the synchronous driver on the library's own threads, where no
 * interruption and no transaction of a caller can reach them.
 *
 * @param database supplies the database; not bound to a session
 * @param tasks ends commands for which no thread was free in time
 */
public record DriverStoreCommands(Supplier<MongoDatabase> database, String collection, Executor executor,
		TaskTimer tasks) implements StoreCommands {

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
				(documents) -> documents.aggregate(pipeline).collation(CommandSettings.BINARY).into(new ArrayList<>()),
				timeout);
	}

	private <T extends @Nullable Object> CompletionStage<T> send(String collection,
			Function<MongoCollection<BsonDocument>, T> command, Duration timeout) {
		// The wait for a thread counts, too.
		Deadline deadline = new Deadline(timeout, TimeSource.SYSTEM);
		CompletableFuture<T> answer = new CompletableFuture<>();
		AtomicBoolean begun = new AtomicBoolean();
		try {
			Runnable cancel = this.tasks.after(timeout, this.tasks, () -> {
				if (begun.compareAndSet(false, true)) {
					answer.completeExceptionally(new HiLoUnavailableException(
							"The command was not sent: all threads that send commands to this cluster were busy"));
				}
			});
			CompletableFuture<?> unused = answer.whenComplete((result, failure) -> cancel.run());
			this.executor.execute(() -> {
				if (begun.compareAndSet(false, true)) {
					cancel.run();
					answer.completeAsync(() -> command.apply(within(collection, CommandSettings.millisLeft(deadline))),
							Runnable::run);
				}
			});
		}
		// For example, no thread could be created.
		catch (Throwable ex) {
			answer.completeExceptionally(ex);
		}
		return answer;
	}

	private MongoCollection<BsonDocument> within(String collection, long timeoutMillis) {
		return CommandSettings.of(this.database.get().getCollection(collection, BsonDocument.class), timeoutMillis);
	}

}
