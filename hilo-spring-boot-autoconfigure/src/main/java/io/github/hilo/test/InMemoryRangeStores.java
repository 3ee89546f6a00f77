package io.github.hilo.test;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.hilo.store.CounterRepair;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.StoredIdScope;
import org.jspecify.annotations.Nullable;

/**
 * Counters in memory, by database and sequence, that follow the rules of those in MongoDB
 * and answer at once.
 * <p>
 * Thread-safe: databases are in a concurrent map, and each guards its counters by its own
 * lock.
 */
final class InMemoryRangeStores implements RangeStores {

	private final String defaultDatabase;

	private final Map<String, RangeStore> databases = new ConcurrentHashMap<>();

	InMemoryRangeStores(String defaultDatabase) {
		this.defaultDatabase = defaultDatabase;
	}

	@Override
	public RangeStore current() {
		return named(this.defaultDatabase);
	}

	@Override
	public boolean isCurrentFixed() {
		return true;
	}

	@Override
	public RangeStore named(String database) {
		return this.databases.computeIfAbsent(database, Database::new);
	}

	@Override
	public Executor executor() {
		// Nothing waits here.
		return Runnable::run;
	}

	@Override
	public void close() {
		// Nothing is ever under way.
	}

	private static final class Database implements RangeStore {

		private static final Counter UNUSED = new Counter(0, new Object());

		private final String name;

		private final Map<String, Counter> counters = new HashMap<>();

		Database(String name) {
			this.name = name;
		}

		@Override
		public String database() {
			return this.name;
		}

		@Override
		public String document(String sequence) {
			return "Raven/HiLo/" + sequence;
		}

		@Override
		public synchronized CompletionStage<ReservedRange> reserve(String sequence, RangeRequest request,
				Consumer<CounterRepair> repaired) {
			Counter before = counter(sequence);
			long last = Math.max(before.max(), request.floor());
			Counter after = new Counter(last + request.size(), new Object());
			this.counters.put(sequence, after);
			return CompletableFuture
				.completedFuture(new ReservedRange(last + 1, after.max(), "", after.grant(), before.grant(), 0));
		}

		@Override
		public synchronized CompletionStage<Boolean> returnUnused(String sequence, RangeReturn unused) {
			boolean latest = counter(sequence).grant().equals(unused.grant());
			if (latest) {
				this.counters.put(sequence, new Counter(unused.lastIssued(), new Object()));
			}
			return CompletableFuture.completedFuture(latest);
		}

		@Override
		public synchronized CompletionStage<Long> raise(String sequence, long floor, Duration timeout) {
			Counter raised = new Counter(Math.max(counter(sequence).max(), floor), new Object());
			this.counters.put(sequence, raised);
			return CompletableFuture.completedFuture(raised.max());
		}

		@Override
		public CompletionStage<HighestStoredId> highestStored(String sequence, StoredIdScope scope,
				Duration stepTimeout) {
			return CompletableFuture.completedFuture(HighestStoredId.NONE);
		}

		@Override
		public CompletionStage<Boolean> answers(String sequence, Duration timeout) {
			return CompletableFuture.completedFuture(true);
		}

		@Override
		public synchronized CompletionStage<@Nullable Long> counter(String sequence, Duration timeout) {
			return CompletableFuture.completedFuture(counter(sequence).max());
		}

		private Counter counter(String sequence) {
			return this.counters.getOrDefault(sequence, UNUSED);
		}

	}

	private record Counter(long max, Object grant) {
	}

}
