package io.github.hilo.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.github.hilo.RangeRequest;
import io.github.hilo.RangeReturn;
import io.github.hilo.RangeStore;
import io.github.hilo.RangeStores;
import io.github.hilo.ReservedRange;

/**
 * A counter in memory, so that a benchmark measures the way of an id and no server.
 */
final class CountingStore implements RangeStore, RangeStores {

	private final AtomicLong max = new AtomicLong();

	@Override
	public String database() {
		return "benchmark";
	}

	@Override
	public String document(String sequence) {
		return sequence;
	}

	@Override
	public CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request) {
		long last = this.max.addAndGet(request.size());
		return CompletableFuture
			.completedFuture(new ReservedRange(last - request.size() + 1, last, "", last, last - request.size()));
	}

	@Override
	public CompletionStage<Boolean> giveBack(String sequence, RangeReturn unused) {
		return CompletableFuture.completedFuture(this.max.compareAndSet(unused.max(), unused.lastIssued()));
	}

	@Override
	public RangeStore current() {
		return this;
	}

	@Override
	public boolean isCurrentFixed() {
		return true;
	}

	@Override
	public RangeStore named(String database) {
		return this;
	}

	@Override
	public void close() {
	}

}
