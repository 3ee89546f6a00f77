package io.github.hilo.internal.counter;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.hilo.internal.mongodb.StoreCommands;
import io.github.hilo.internal.store.StoreSettings;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.stored.StoredIdMemory;
import org.bson.BsonValue;

/**
 * What the stores of one database share, of which there may be one for each call: the
 * settings, the server prefix, and how stored ids are checked.
 *
 * @param database the database's name, followed by its cluster's unless that is the
 * default's
 * @param grants returns grants that no other command has
 * @param sequences how the stored ids of each sequence are checked
 */
record DatabaseContext(String database, StoreSettings settings, TimeSource time, Supplier<BsonValue> grants,
		ServerPrefix serverPrefix, Map<String, StoredIdMemory> sequences) {

	CounterDocument counter(String sequence) {
		return new CounterDocument(this.settings.idPrefix() + sequence, sequence, this.database,
				this.settings.collection());
	}

	StoredIdMemory memoryOf(String sequence) {
		StoredIdMemory known = this.sequences.get(sequence);
		return (known != null) ? known : this.sequences.computeIfAbsent(sequence,
				(absent) -> new StoredIdMemory(absent, counter(absent).describe(), this.settings, this.time));
	}

	CompletionStage<String> serverPrefix(StoreCommands commands, CounterDocument counter, Duration timeout) {
		return this.settings.honourServerPrefix() ? this.serverPrefix.read(commands, counter, timeout)
				: CompletableFuture.completedFuture("");
	}

}
