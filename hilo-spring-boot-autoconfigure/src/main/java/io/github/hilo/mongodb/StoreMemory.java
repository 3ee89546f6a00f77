package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of one database, however often its store is made.
 * <p>
 * Thread-safe.
 */
final class StoreMemory {

	private final TimeSource time;

	private final @Nullable ServerPrefix serverPrefix;

	private final Map<String, StoredIdMemory> sequences = new ConcurrentHashMap<>();

	StoreMemory(TimeSource time, boolean honourServerPrefix) {
		this.time = time;
		this.serverPrefix = honourServerPrefix ? new ServerPrefix(time) : null;
	}

	/**
	 * Finds what is remembered of the stored ids of a sequence.
	 */
	StoredIdMemory of(String sequence) {
		return this.sequences.computeIfAbsent(sequence, (absent) -> new StoredIdMemory(this.time));
	}

	/**
	 * Reads the server prefix, where there may be one.
	 */
	CompletionStage<String> serverPrefix(StoreCommands commands, String place, Duration timeout) {
		return (this.serverPrefix != null) ? this.serverPrefix.read(commands, place, timeout)
				: CompletableFuture.completedFuture("");
	}

}
