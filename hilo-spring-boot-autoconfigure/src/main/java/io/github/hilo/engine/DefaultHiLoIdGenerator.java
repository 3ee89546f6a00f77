package io.github.hilo.engine;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.StoredIds;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The generator, for the default database, and the life of all that it made. Internal;
 * inject {@link HiLoIdGenerator}.
 * <p>
 * Thread-safe; see {@link SequenceRegistry} and {@link RangeSequence} for why.
 */
public final class DefaultHiLoIdGenerator extends IssuingGenerator implements AutoCloseable {

	private final RangeStores stores;

	private final SequenceRegistry registry;

	private final GeneratorListener listener;

	/**
	 * The default database, once it is known that it can't change.
	 */
	private volatile @Nullable RangeStore fixedStore;

	/**
	 * Creates a generator. It reserves nothing before the first id is asked for.
	 * @param stores where ranges come from; closed with the generator
	 * @param names names the sequences of entity types
	 * @param settings the configuration
	 * @param time the clock
	 */
	public DefaultHiLoIdGenerator(RangeStores stores, EntitySequenceNames names, HiLoSettings settings,
			TimeSource time) {
		this(stores, names, settings, time, GeneratorListener.NONE);
	}

	/**
	 * Creates a generator that is listened to.
	 * @param stores where ranges come from; closed with the generator
	 * @param names names the sequences of entity types
	 * @param settings the configuration
	 * @param time the clock
	 * @param listener hears of its sequences
	 */
	public DefaultHiLoIdGenerator(RangeStores stores, EntitySequenceNames names, HiLoSettings settings, TimeSource time,
			GeneratorListener listener) {
		this(stores, names, settings, time, new CarefulListener(listener));
	}

	private DefaultHiLoIdGenerator(RangeStores stores, EntitySequenceNames names, HiLoSettings settings,
			TimeSource time, CarefulListener listener) {
		this(stores, names, new SequenceRegistry(settings, time, listener), listener);
	}

	private DefaultHiLoIdGenerator(RangeStores stores, EntitySequenceNames names, SequenceRegistry registry,
			GeneratorListener listener) {
		super(registry, names);
		this.stores = stores;
		this.registry = registry;
		this.listener = listener;
	}

	@Override
	public void release() {
		this.registry.release();
	}

	/**
	 * Returns the unused ranges of some sequences now, as {@link #release()} does.
	 * @param database the sequences' database, or {@code null} for every one
	 * @param sequence the sequences' name, or {@code null} for every one
	 */
	public void release(@Nullable String database, @Nullable String sequence) {
		this.registry.release(database, sequence);
	}

	/**
	 * Reserves a range for each of some sequences of the default database, side by side,
	 * and waits for them, at most for the configured timeout.
	 * @param sequences the sequences' names
	 * @throws HiLoUnavailableException if one got no range; the others went on
	 * @throws HiLoDocumentException if one's counter is malformed; the others went on
	 */
	public void warmUp(Collection<String> sequences) {
		this.registry.warmUp(store(), sequences);
	}

	/**
	 * Returns what is unused and holds no range until {@link #resume()}. Ids are still
	 * issued, each by a reservation of its own.
	 * @return whether every return was answered within the configured timeout
	 */
	public boolean pause() {
		return this.registry.pause();
	}

	/**
	 * Holds ranges again after a {@link #pause()}. Nothing that was reserved or asked for
	 * before is used: this process may be one of several that were restored from one
	 * snapshot.
	 */
	public void resume() {
		this.registry.resume();
	}

	/**
	 * Returns what is unused and issues nothing any more. Callers that wait for a range
	 * get their number first. Waits at most for the configured timeout.
	 */
	@Override
	public void close() {
		this.registry.close();
		this.stores.close();
		this.listener.closed();
	}

	/**
	 * Finds the store of a database, without any I/O.
	 * @param database the database's name
	 * @return its store
	 */
	public RangeStore storeOf(String database) {
		return named(requireDatabase(database));
	}

	/**
	 * Finds the ids that the documents of a database have.
	 * @param database the database's name, or {@code null} for the default database
	 * @return the ids
	 */
	public StoredIds storedIds(@Nullable String database) {
		return this.stores.storedIds((database != null) ? requireDatabase(database) : null);
	}

	/**
	 * Returns the unused ranges of the sequences of one name, for callers that must not
	 * wait.
	 * @param database the sequences' database, or {@code null} for every one that has it
	 * @param sequence the sequences' name
	 * @return what ends once nothing is held that was reserved before, or fails after the
	 * configured timeout
	 */
	public CompletableFuture<@Nullable Void> releaseAsync(@Nullable String database, String sequence) {
		return CompletableFuture.completedFuture(sequence)
			.thenComposeAsync((name) -> this.registry.releasing(database, name), this.stores.executor());
	}

	/**
	 * Finds the sequence of an entity type for callers that must not wait.
	 * @param store the sequence's database, as the caller resolved it
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the sequence
	 */
	public AsyncSequence async(RangeStore store, Class<?> entityType) {
		return async(store, nameOf(entityType));
	}

	/**
	 * Finds the sequence of an entity's type for callers that must not wait.
	 * @param store the sequence's database, as the caller resolved it
	 * @param entity an instance of an entity type
	 * @return the sequence
	 */
	public AsyncSequence asyncFor(RangeStore store, Object entity) {
		return async(store, typeOf(entity));
	}

	/**
	 * Finds a sequence for callers that must not wait.
	 * @param store the sequence's database, as the caller resolved it
	 * @param sequence the exact name of the counter
	 * @return the sequence
	 */
	public AsyncSequence async(RangeStore store, String sequence) {
		requireName(sequence);
		return new AsyncSequence(this.registry.sequence(store, sequence), store, this.stores.executor(),
				this.registry.settings());
	}

	/**
	 * Does what {@link #release()} does, for callers that must not wait.
	 * @param database the only database whose ranges go back, or {@code null} for all
	 * @return what ends with the returns, at the latest after the configured timeout
	 */
	public CompletableFuture<@Nullable Void> releaseAsync(@Nullable String database) {
		return CompletableFuture.<@Nullable String>completedFuture(database)
			.thenComposeAsync(this.registry::releasingInTime, this.stores.executor());
	}

	/**
	 * Shows every sequence that was asked for, without taking a number or reserving a
	 * range.
	 * @return the sequences by database and name, sorted
	 */
	public Map<String, Map<String, SequenceSnapshot>> snapshot() {
		return this.registry.snapshot();
	}

	/**
	 * Tells which sequences can issue ids. For one that can't, because its range is used
	 * up and the last reservation failed, a range is asked for again in the background.
	 * @return the sequences by database and name, sorted
	 */
	public Map<String, Map<String, SequenceHealth>> checkHealth() {
		return this.registry.checkHealth();
	}

	@Override
	RangeStore store() {
		RangeStore store = this.fixedStore;
		if (store != null) {
			return store;
		}
		store = this.stores.current();
		if (this.stores.isCurrentFixed()) {
			this.fixedStore = store;
		}
		return store;
	}

	@Override
	boolean isStoreFixed() {
		return this.stores.isCurrentFixed();
	}

	@Override
	RangeStore named(String database) {
		return this.stores.named(database);
	}

	@Override
	HiLoIdGenerator defaultDatabase() {
		return this;
	}

}
