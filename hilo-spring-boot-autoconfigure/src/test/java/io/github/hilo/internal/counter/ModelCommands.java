package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import com.mongodb.MongoException;
import io.github.hilo.fixture.CounterModel;
import io.github.hilo.internal.mongodb.FieldQuery;
import io.github.hilo.internal.mongodb.StoreCommands;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Commands that a model of MongoDB carries out at once: as strict as MongoDB where
 * mongo-java-server is not.
 */
final class ModelCommands implements StoreCommands {

	private final CounterModel documents;

	ModelCommands(CounterModel documents) {
		this.documents = documents;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			boolean upsert, Duration timeout) {
		return answer(() -> this.documents.update(filter, update, upsert));
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findCounter(BsonDocument filter, Duration timeout) {
		return answer(() -> this.documents.find(filter));
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(FieldQuery query, Duration timeout) {
		return others();
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, List<BsonDocument> pipeline,
			Duration timeout) {
		return others();
	}

	private static <T extends @Nullable Object> CompletionStage<T> others() {
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
