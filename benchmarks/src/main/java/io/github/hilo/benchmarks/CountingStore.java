package io.github.hilo.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeRequest;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.ReservedRange;
import io.github.hilo.internal.store.Tasks;
import org.bson.BsonArray;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;

/**
 * A counter in memory, so that a benchmark measures the way of an id and no server.
 */
final class CountingStore implements RangeStore, RangeStores {

	private long max;

	/**
	 * As large as in MongoDB, so that a range takes as much memory.
	 */
	private BsonArray grants = new BsonArray();

	@Override
	public String database() {
		return "benchmark";
	}

	@Override
	public String counterId(String sequence) {
		return sequence;
	}

	@Override
	public synchronized CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
			Consumer<CounterRepair> repaired) {
		push();
		long min = this.max + 1;
		this.max += request.size();
		return CompletableFuture.completedFuture(new ReservedRange(min, this.max, "", this.grants));
	}

	@Override
	public synchronized CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
		boolean latest = this.max == unused.max() && unused.grants().equals(this.grants);
		if (latest) {
			this.max = unused.newMax();
			push();
		}
		return CompletableFuture.completedFuture(latest);
	}

	@Override
	public synchronized CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
		this.max = Math.max(this.max, floor);
		push();
		return CompletableFuture.completedFuture(this.max);
	}

	/**
	 * An answer of MongoDB shares nothing with an earlier one.
	 */
	private void push() {
		BsonArray pushed = new BsonArray(List.of(new BsonObjectId()));
		if (!this.grants.isEmpty()) {
			pushed.add(new BsonObjectId(new ObjectId(this.grants.get(0).asObjectId().getValue().toByteArray())));
		}
		this.grants = pushed;
	}

	@Override
	public RangeStore current(Deadline deadline) {
		return this;
	}

	@Override
	public boolean isCurrentFixed() {
		return true;
	}

	@Override
	public RangeStore named(String database, Deadline deadline) {
		return this;
	}

	@Override
	public CompletionStage<Long> stored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return CompletableFuture.completedFuture(0L);
	}

	@Override
	public CompletionStage<Long> lowestStored(String sequence, Place place, ReservedRange numbers, Deadline deadline) {
		return CompletableFuture.completedFuture(0L);
	}

	@Override
	public Tasks tasks() {
		return new DirectTasks();
	}

	@Override
	public void close() {
	}

}
