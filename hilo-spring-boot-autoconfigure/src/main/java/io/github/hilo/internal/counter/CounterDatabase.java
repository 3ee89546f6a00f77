package io.github.hilo.internal.counter;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.hilo.internal.check.CheckedSequence;
import io.github.hilo.internal.mongodb.Commands;
import io.github.hilo.internal.store.CounterSettings;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.LineLimit;
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A database that has counters, and what its stores share, of which there may be one for
 * each call: the settings, the server prefix, and which warnings were logged.
 *
 * @param name the database's name, followed by its cluster's unless that is the default's
 * @param warnings what warnings were logged about once; thread-safe
 * @param lines limits the lines of the log that can come again and again
 * @param fallbackStore the store for what no caller has brought one, if there is any
 */
record CounterDatabase(String name, boolean inDefaultCluster, CounterSettings settings, TimeSource time,
		Supplier<BsonValue> grants, ServerPrefix serverPrefix, Set<Object> warnings, LineLimit lines,
		AtomicReference<@Nullable MongoRangeStore> fallbackStore) {

	CounterDatabase(String name, boolean inDefaultCluster, CounterSettings settings, TimeSource time,
			Supplier<BsonValue> grants) {
		this(name, inDefaultCluster, settings, time, grants, new ServerPrefix(time), ConcurrentHashMap.newKeySet(),
				new LineLimit(time), new AtomicReference<>());
	}

	/**
	 * Records that a store sends a command. Of a database in another cluster than the
	 * default's, the latest store is kept, because no other factory is known to lead
	 * there. A store whose client stays is not replaced by one whose client may be gone.
	 */
	void used(MongoRangeStore store) {
		if (!this.inDefaultCluster) {
			this.fallbackStore
				.updateAndGet((last) -> (last != null && last.isKept() && !store.isKept()) ? last : store);
		}
	}

	void ofDefault(MongoRangeStore store) {
		this.fallbackStore.set(store);
	}

	/**
	 * Lets the latest client go, unless it stays as long as the application.
	 */
	void letGo() {
		this.fallbackStore.updateAndGet((last) -> (last != null && last.isKept()) ? last : null);
	}

	CounterDocument counter(String sequence) {
		return new CounterDocument(this.settings.idPrefix() + sequence, sequence, this.name,
				this.settings.collection());
	}

	CheckedSequence checked(CounterDocument counter) {
		return new CheckedSequence(counter.sequence(), counter.describe(), this.settings, this.time, this.warnings,
				this.lines);
	}

	CompletionStage<String> serverPrefix(Commands commands, CounterDocument counter, Deadline deadline) {
		return this.settings.honourServerPrefix() ? this.serverPrefix.read(commands, counter, deadline)
				: CompletableFuture.completedFuture("");
	}

}
