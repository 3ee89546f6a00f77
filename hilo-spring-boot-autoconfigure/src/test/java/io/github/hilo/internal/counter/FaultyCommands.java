package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.hilo.fixture.DirectThreads;
import io.github.hilo.fixture.TestDatabase;
import io.github.hilo.internal.mongodb.Cluster;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.mongodb.DriverCommands;
import io.github.hilo.internal.mongodb.Query;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Commands that fail as MongoDB lets them fail, in the order that a test says.
 */
final class FaultyCommands implements Commands {

	private final Commands commands;

	private final Queue<Fault> reservationFaults = new ArrayDeque<>();

	private final Queue<Fault> otherFaults = new ArrayDeque<>();

	private final Queue<Map.Entry<String, CompletableFuture<@Nullable BsonDocument>>> findFaults = new ArrayDeque<>();

	private final Queue<RuntimeException> aggregateFaults = new ArrayDeque<>();

	FaultyCommands(Commands commands) {
		this.commands = commands;
	}

	/**
	 * Makes commands that are sent on the calling thread.
	 */
	static FaultyCommands on(TestDatabase database) {
		return new FaultyCommands(driver(database, Runnable::run));
	}

	static DriverCommands driver(TestDatabase database, Executor executor) {
		return new DriverCommands(database.name(), () -> database.client().getDatabase(database.name()), "@hilo",
				Cluster.create("", new DirectThreads(executor), Duration.ofSeconds(10), TimeSource.SYSTEM,
						TestDatabase.TASKS));
	}

	FaultyCommands failReservation(boolean applied, RuntimeException reply) {
		this.reservationFaults.add(new Fault(() -> {
		}, applied, reply));
		return this;
	}

	FaultyCommands failWrite(boolean applied, Runnable meanwhile, RuntimeException reply) {
		this.otherFaults.add(new Fault(meanwhile, applied, reply));
		return this;
	}

	FaultyCommands beforeReservation(Runnable event) {
		this.reservationFaults.add(new Fault(event, true, null));
		return this;
	}

	FaultyCommands beforeWrite(Runnable event) {
		this.otherFaults.add(new Fault(event, true, null));
		return this;
	}

	/**
	 * Lets a find in a collection fail.
	 */
	FaultyCommands failFind(String collection, RuntimeException reply) {
		holdFind(collection).completeExceptionally(reply);
		return this;
	}

	/**
	 * Lets a count of texts fail.
	 */
	FaultyCommands failAggregate(RuntimeException reply) {
		this.aggregateFaults.add(reply);
		return this;
	}

	/**
	 * Holds up a find in a collection.
	 * @return its answer
	 */
	CompletableFuture<@Nullable BsonDocument> holdFind(String collection) {
		CompletableFuture<@Nullable BsonDocument> answer = new CompletableFuture<>();
		this.findFaults.add(Map.entry(collection, answer));
		return answer;
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOneAndUpdate(BsonDocument filter, BsonDocument update,
			Commands.IfAbsent ifAbsent, Deadline deadline) {
		return send(update.containsKey("$inc") ? this.reservationFaults : this.otherFaults,
				() -> this.commands.findOneAndUpdate(filter, update, ifAbsent, deadline));
	}

	@Override
	public CompletionStage<@Nullable BsonDocument> findOne(Query query, Deadline deadline) {
		Map.Entry<String, CompletableFuture<@Nullable BsonDocument>> fault = this.findFaults.peek();
		if (fault != null && fault.getKey().equals(query.collection())) {
			this.findFaults.remove();
			return fault.getValue();
		}
		return this.commands.findOne(query, deadline);
	}

	@Override
	public CompletionStage<List<BsonDocument>> aggregate(String collection, String field, List<BsonDocument> pipeline,
			Deadline deadline) {
		RuntimeException fault = this.aggregateFaults.poll();
		return (fault != null) ? CompletableFuture.failedFuture(fault)
				: this.commands.aggregate(collection, field, pipeline, deadline);
	}

	private static <T extends @Nullable Object> CompletionStage<T> send(Queue<Fault> faults,
			Supplier<CompletionStage<T>> command) {
		Fault fault = faults.poll();
		if (fault == null) {
			return command.get();
		}
		fault.meanwhile.run();
		RuntimeException reply = fault.reply;
		if (reply == null) {
			return command.get();
		}
		return (fault.applied ? command.get() : CompletableFuture.completedFuture(null))
			.thenCompose((answer) -> CompletableFuture.failedFuture(reply));
	}

	private record Fault(Runnable meanwhile, boolean applied, @Nullable RuntimeException reply) {
	}

}
