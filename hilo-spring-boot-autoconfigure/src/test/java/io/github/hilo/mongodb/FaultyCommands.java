package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Commands that fail as MongoDB lets them fail, in the order that a test says.
 */
final class FaultyCommands implements StoreCommands {

	private final StoreCommands delegate;

	private final Queue<Fault> findAndModifyFaults = new ArrayDeque<>();

	private final Queue<Fault> updateFaults = new ArrayDeque<>();

	private final Queue<Map.Entry<String, RuntimeException>> findIdsFaults = new ArrayDeque<>();

	FaultyCommands(StoreCommands delegate) {
		this.delegate = delegate;
	}

	FaultyCommands failFindAndModify(boolean applied, RuntimeException reply) {
		this.findAndModifyFaults.add(new Fault(applied, () -> {
		}, reply));
		return this;
	}

	FaultyCommands failUpdate(boolean applied, Runnable meanwhile, RuntimeException reply) {
		this.updateFaults.add(new Fault(applied, meanwhile, reply));
		return this;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			Duration timeout) {
		return send(this.findAndModifyFaults, () -> this.delegate.findOneAndUpdate(filter, update, timeout));
	}

	@Override
	public CompletionStage<Boolean> updateOne(BsonDocument filter, BsonDocument update, boolean upsert,
			Duration timeout) {
		return send(this.updateFaults, () -> this.delegate.updateOne(filter, update, upsert, timeout));
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findById(String id, Duration timeout) {
		return this.delegate.findById(id, timeout);
	}

	/**
	 * Lets a check of a collection fail.
	 */
	FaultyCommands failFindIds(String collection, RuntimeException reply) {
		this.findIdsFaults.add(Map.entry(collection, reply));
		return this;
	}

	@Override
	public CompletionStage<List<BsonDocument>> findIds(IdQuery query, Duration timeout) {
		Map.Entry<String, RuntimeException> fault = this.findIdsFaults.peek();
		if (fault != null && fault.getKey().equals(query.collection())) {
			this.findIdsFaults.remove();
			return CompletableFuture.failedFuture(fault.getValue());
		}
		return this.delegate.findIds(query, timeout);
	}

	@Override
	public CompletionStage<List<BsonDocument>> listIndexes(String collection, Duration timeout) {
		return this.delegate.listIndexes(collection, timeout);
	}

	@Override
	public CompletionStage<@Nullable Void> forEachId(IdQuery query, Consumer<BsonDocument> visitor,
			Duration stepTimeout) {
		return this.delegate.forEachId(query, visitor, stepTimeout);
	}

	private static <T> CompletionStage<T> send(Queue<Fault> faults, Supplier<CompletionStage<T>> command) {
		Fault fault = faults.poll();
		if (fault == null) {
			return command.get();
		}
		fault.meanwhile.run();
		if (fault.applied) {
			return command.get().thenCompose((answer) -> CompletableFuture.failedFuture(fault.reply));
		}
		return CompletableFuture.failedFuture(fault.reply);
	}

	private record Fault(boolean applied, Runnable meanwhile, RuntimeException reply) {
	}

}
