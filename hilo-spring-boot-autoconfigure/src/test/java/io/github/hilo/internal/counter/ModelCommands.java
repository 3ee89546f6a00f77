package io.github.hilo.internal.counter;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import com.mongodb.MongoException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.Deadline;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Commands that a model of MongoDB carries out at once: as strict as MongoDB where
 * mongo-java-server is not.
 */
final class ModelCommands implements Commands {

	private final CounterModel documents;

	ModelCommands(CounterModel documents) {
		this.documents = documents;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			Commands.IfAbsent ifAbsent, Deadline deadline) {
		return answer(() -> this.documents.update(filter, update, ifAbsent == Commands.IfAbsent.CREATE));
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
		return answer(() -> this.documents.find(query.filter()));
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, String field, List<BsonDocument> pipeline,
			Deadline deadline) {
		return CompletableFuture.failedFuture(new UnsupportedOperationException("There are no other documents"));
	}

	private static <T extends @Nullable Object> CompletionStage<T> answer(Supplier<T> command) {
		try {
			return CompletableFuture.completedFuture(command.get());
		}
		catch (MongoException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
