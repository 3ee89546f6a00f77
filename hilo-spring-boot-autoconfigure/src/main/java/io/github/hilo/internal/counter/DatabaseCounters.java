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
import io.github.hilo.internal.store.TimeSource;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What the stores of one database share, of which there may be one for each call: the
 * settings, the server prefix, and which warnings were logged.
 *
 * @param database the database's name, followed by its cluster's unless that is the
 * default's
 * @param warnings what warnings about stored ids were logged about; thread-safe
 * @param ofDefault the store of the default factory, once it leads here and cannot lead
 * elsewhere
 */
record DatabaseCounters(String database, CounterSettings settings, TimeSource time, Supplier<BsonValue> grants,
		ServerPrefix serverPrefix, Set<Object> warnings, AtomicReference<@Nullable MongoRangeStore> ofDefault) {

	DatabaseCounters(String database, CounterSettings settings, TimeSource time, Supplier<BsonValue> grants) {
		this(database, settings, time, grants, new ServerPrefix(time), ConcurrentHashMap.newKeySet(),
				new AtomicReference<>());
	}

	CounterDocument counter(String sequence) {
		return new CounterDocument(this.settings.idPrefix() + sequence, sequence, this.database,
				this.settings.collection());
	}

	CheckedSequence checked(CounterDocument counter) {
		return new CheckedSequence(counter.sequence(), counter.describe(), this.settings, this.time, this.warnings);
	}

	CompletionStage<String> serverPrefix(Commands commands, CounterDocument counter, Deadline deadline) {
		return this.settings.honourServerPrefix() ? this.serverPrefix.read(commands, counter, deadline)
				: CompletableFuture.completedFuture("");
	}

}
