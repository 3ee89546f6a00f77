package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.hilo.store.Names;
import io.github.hilo.store.TimeSource;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What the stores of one database share, however often one is made: the settings, and
 * what this process remembers of the database.
 * <p>
 * Thread-safe: sequences are in a concurrent map, and everything else is final and
 * thread-safe.
 */
final class StoreMemory {

	private final String database;

	private final StoreSettings settings;

	private final TimeSource time;

	private final Executor executor;

	private final Supplier<BsonValue> grants;

	private final @Nullable ServerPrefix serverPrefix;

	private final Map<String, CheckMemory> sequences = new ConcurrentHashMap<>();

	/**
	 * Creates what is shared.
	 * @param database the database's name
	 * @param settings the configuration
	 * @param time the clock
	 * @param executor runs short tasks
	 * @param grants makes grants that nobody else has
	 * @throws IllegalArgumentException if no database can have the name
	 */
	StoreMemory(String database, StoreSettings settings, TimeSource time, Executor executor,
			Supplier<BsonValue> grants) {
		this.database = Names.requireDatabase(database);
		this.settings = settings;
		this.time = time;
		this.executor = executor;
		this.grants = grants;
		this.serverPrefix = settings.honourServerPrefix() ? new ServerPrefix(time) : null;
	}

	String database() {
		return this.database;
	}

	StoreSettings settings() {
		return this.settings;
	}

	TimeSource time() {
		return this.time;
	}

	Executor executor() {
		return this.executor;
	}

	BsonValue freshGrant() {
		return this.grants.get();
	}

	/**
	 * Finds what is remembered of the stored ids of a sequence.
	 */
	CheckMemory of(String sequence) {
		return this.sequences.computeIfAbsent(sequence,
				(absent) -> new CheckMemory(this.settings.timeout(), this.time));
	}

	/**
	 * Reads the server prefix, where there may be one.
	 */
	CompletionStage<String> serverPrefix(StoreCommands commands, String place, Duration timeout) {
		return (this.serverPrefix != null) ? this.serverPrefix.read(commands, place, timeout)
				: CompletableFuture.completedFuture("");
	}

}
