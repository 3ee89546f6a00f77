package io.github.hilo.internal.mongodb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.github.hilo.internal.store.Deadline;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands by the synchronous driver on the library's own threads, where no
 * interruption and no transaction of a caller can reach them.
 *
 * @param name the database's name
 * @param database supplies the database; not bound to a session
 * @param collection the collection of the counters
 */
public record DriverCommands(String name, Supplier<MongoDatabase> database, String collection,
		Cluster cluster) implements Commands {

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
				(documents) -> documents.aggregate(pipeline).collation(CommandSettings.BINARY).into(new ArrayList<>()),
				deadline);
	}

	private <T extends @Nullable Object> CompletionStage<T> send(Lane lane, String collection,
			Function<MongoCollection<BsonDocument>, T> command, Deadline deadline) {
		return this.cluster.blocking()
			.of(lane)
			.<T>send(lane, deadline, (answer) -> this.cluster.threads().execute(() -> {
				try {
					answer.complete(command.apply(CommandSettings
						.of(this.database.get().getCollection(collection, BsonDocument.class), deadline)));
				}
				catch (Throwable ex) {
					answer.completeExceptionally(ex);
				}
			}));
	}

}
