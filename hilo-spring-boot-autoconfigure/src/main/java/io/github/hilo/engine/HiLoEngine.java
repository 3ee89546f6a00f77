package io.github.hilo.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.Place;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.RangeStores;
import io.github.hilo.store.TimeSource;
import io.github.hilo.text.Names;
import org.jspecify.annotations.Nullable;

/**
 * Holds the sequences of every database, and their life. Internal: the seam that
 * everything but the callers of {@link HiLoIdGenerator} depends on, so that a decorated
 * or replaced generator takes nothing from them.
 * <p>
 * Thread-safe; see {@link SequenceRegistry} and {@link RangeSequence} for why.
 *
 * @hidden
 */
public final class HiLoEngine implements AutoCloseable {

	private final RangeStores stores;

	private final EntitySequenceNames names;

	private final SequenceRegistry registry;

	private final HiLoSettings settings;

	private final DefaultHiLoIdGenerator generator;

	/**
	 * The default database, once it is certain that it cannot change.
	 */
	private volatile @Nullable RangeStore fixedStore;

	/**
	 * Creates an engine that nobody listens to. It reserves nothing before the first id
	 * is asked for.
	 * @param stores where ranges come from; closed with the engine
	 * @param names names the sequences of entity types
	 * @param settings the configuration
	 * @param time the clock
	 */
	public HiLoEngine(RangeStores stores, EntitySequenceNames names, HiLoSettings settings, TimeSource time) {
		this(stores, names, settings, time, List::of);
	}

	/**
	 * Creates an engine that is listened to.
	 * @param stores where ranges come from; closed with the engine
	 * @param names names the sequences of entity types
	 * @param settings the configuration
	 * @param time the clock
	 * @param listeners finds what receives the events of its sequences; asked for each
	 * event, so that a listener may need what needs this engine
	 */
	public HiLoEngine(RangeStores stores, EntitySequenceNames names, HiLoSettings settings, TimeSource time,
			Supplier<List<EngineListener>> listeners) {
		this.stores = stores;
		this.names = names;
		this.settings = settings;
		this.registry = new SequenceRegistry(settings, time, new EngineEvents(listeners));
		this.generator = new DefaultHiLoIdGenerator(this);
	}

	/**
	 * Returns the generator of this engine's ids.
	 * @return the generator for the default database
	 */
	public HiLoIdGenerator generator() {
		return this.generator;
	}

	/**
	 * Reserves a range for each of some sequences of the default database, side by side,
	 * and waits for them, at most for the configured timeout. A consecutive sequence
	 * holds nothing, so nothing is reserved for it.
	 * @param sequences the sequences' names
	 * @throws HiLoUnavailableException if one got no range; the others went on
	 * @throws HiLoDocumentException if one's counter is malformed; the others went on
	 */
	public void warmUp(Collection<String> sequences) {
		this.registry.warmUp(currentStore(), sequences);
	}

	/**
	 * Returns what is unused and holds no range until {@link #resume()}. Ids are still
	 * issued, each by a reservation of its own.
	 * @return whether every return was answered within the configured timeout
	 */
	public boolean pause() {
		return this.registry.awaitShutdown(this.registry.pausing());
	}

	/**
	 * Holds ranges again after a {@link #pause()}. Nothing that was reserved or requested
	 * before is used: this process may be one of several that were restored from one
	 * snapshot.
	 */
	public void resume() {
		this.registry.resume();
	}

	/**
	 * Returns what is unused and issues nothing any more. Callers whose reservation is
	 * under way get their number first; those that wait for a return or a raise to end
	 * are refused. Waits at most for the configured timeout.
	 */
	@Override
	public void close() {
		this.registry.awaitShutdown(this.registry.closing());
		this.stores.close();
	}

	/**
	 * Returns the unused ranges of some sequences now, and waits for it, at most for the
	 * configured timeout. A database that does not answer keeps its ranges: they may
	 * carry the application through an outage. The failures of sequences that are named
	 * are over where it does.
	 * @param database the sequences' database, or {@code null} for every one
	 * @param sequence the sequences' name, or {@code null} for every one
	 * @return the databases that did not answer, sorted
	 */
	public SortedSet<String> release(@Nullable String database, @Nullable String sequence) {
		Map<String, CompletableFuture<Boolean>> answers = answers(database, sequence);
		LatchWait.endedUninterrupted(releaseAnswered(answers, sequence), this.settings.timeout());
		SortedSet<String> silent = new TreeSet<>();
		answers.forEach((name, answered) -> {
			if (!answered.getNow(false)) {
				silent.add(name);
			}
			else if (sequence != null) {
				this.registry.forgiveFailures(name, sequence);
			}
		});
		return silent;
	}

	/**
	 * Returns the unused ranges as {@link #release} does, for callers that must not wait.
	 * @param database the sequences' database, or {@code null} for every one
	 * @return what ends with it, at the latest after the configured timeout
	 */
	public CompletableFuture<@Nullable Void> releaseAsync(@Nullable String database) {
		return CompletableFuture.<@Nullable Void>completedFuture(null)
			.thenComposeAsync((none) -> releaseAnswered(answers(database, null), null), this.stores.executor())
			.completeOnTimeout(null, this.settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Asks each database whether it answers.
	 */
	private Map<String, CompletableFuture<Boolean>> answers(@Nullable String database, @Nullable String sequence) {
		Map<String, CompletableFuture<Boolean>> answers = new TreeMap<>();
		this.registry.oneOfEach(database, sequence)
			.forEach((name, any) -> answers.put(name, any.answers().toCompletableFuture()));
		return answers;
	}

	private CompletableFuture<@Nullable Void> releaseAnswered(Map<String, CompletableFuture<Boolean>> answers,
			@Nullable String sequence) {
		return CompletableFuture.allOf(answers.entrySet()
			.stream()
			.map((database) -> database.getValue()
				.thenComposeAsync((answered) -> answered ? this.registry.releasing(database.getKey(), sequence).ended()
						: CompletableFuture.completedFuture(null), this.stores.executor()))
			.toArray(CompletableFuture[]::new));
	}

	/**
	 * Checks the name of a sequence, as far as it can be told without its database.
	 * @param sequence the name, or {@code null} for every sequence
	 * @return the name
	 * @throws IllegalArgumentException if no counter can have it
	 */
	public static @Nullable String requireSequence(@Nullable String sequence) {
		return (sequence != null) ? Names.requireSequence(sequence) : null;
	}

	/**
	 * Checks the name of a database.
	 * @param database the name, or {@code null} for the default database or every one
	 * @return the name
	 * @throws IllegalArgumentException if no database can have it, and none is shown by
	 * it
	 */
	public @Nullable String requireDatabase(@Nullable String database) {
		return (database == null || this.registry.knows(database)) ? database : Names.requireDatabase(database);
	}

	/**
	 * Raises a counter, as {@link HiLoIdGenerator#ensureAtLeast(String, long)} does.
	 * @param store the sequence's database, as the caller resolved it
	 * @param sequence the exact name of the counter
	 * @param floor the highest number in use, from 1 to {@link HiLoIdGenerator#MAX_FLOOR}
	 * @return where the counter stands, at least at the floor
	 */
	public long raise(RangeStore store, String sequence, long floor) {
		Arguments.requireFloor(floor);
		return sequence(store, sequence).ensureAtLeast(floor);
	}

	/**
	 * Confirms that no document has a number that was issued.
	 * @param store the database of the place, as the caller resolved it
	 * @param sequence the exact name of the counter
	 * @param place where the number is about to be stored
	 * @param issued the number, or the document id
	 * @return whether it is free; otherwise the counter was raised above what is stored
	 */
	public CompletionStage<Boolean> confirm(RangeStore store, String sequence, Place place, Object issued) {
		return PlacedSequence.of(sequence(store, sequence), place).confirm(issued);
	}

	/**
	 * Finds where the ids of an entity type are stored.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the place, or {@code null} if its ids are not ours
	 */
	public @Nullable Place placeOf(Class<?> entityType) {
		return this.names.placeOf(entityType);
	}

	/**
	 * Checks that a sequence can be used.
	 * @param store the sequence's database, as the caller resolved it
	 * @param sequence the exact name of the counter
	 * @throws IllegalArgumentException if no counter can have the name
	 * @throws IllegalStateException once the engine is closed
	 */
	public void requireUsable(RangeStore store, String sequence) {
		this.registry.requireUsable(store, sequence);
	}

	/**
	 * Shows every sequence that was asked for, without taking a number or reserving a
	 * range.
	 * @return the sequences by database and name, sorted
	 */
	public Map<String, Map<String, SequenceSnapshot>> snapshot() {
		return this.registry.show(RangeSequence::snapshot);
	}

	/**
	 * Tells which sequences can issue ids. For one that cannot, because its range is used
	 * up and the last reservation failed, a range is requested again in the background,
	 * or the counter read if it is consecutive.
	 * @return the sequences by database and name, sorted
	 */
	public Map<String, Map<String, SequenceSnapshot>> checkHealth() {
		return this.registry.show(RangeSequence::checkHealth);
	}

	/**
	 * Finds the store of a database, without any I/O.
	 * @param database the database's name, or {@code null} for the default database,
	 * which is resolved on the calling thread
	 * @return its store
	 */
	public RangeStore storeOf(@Nullable String database) {
		return (database != null) ? this.stores.named(database) : currentStore();
	}

	/**
	 * Finds a sequence for callers that must not wait.
	 * @param store the sequence's database, as the caller resolved it
	 * @param sequence the exact name of the counter
	 * @return the sequence
	 */
	public AsyncSequence async(RangeStore store, String sequence) {
		return new AsyncSequence(sequence(store, sequence), this.stores.executor(), this.settings.timeout());
	}

	RangeSequence sequence(RangeStore store, @Nullable String name) {
		return this.registry.sequence(store, Names.requireSequence(name));
	}

	/**
	 * Finds the sequences of a database by their names, as they come.
	 */
	Map<String, RangeSequence> sequencesOf(String database) {
		return this.registry.sequencesOf(database);
	}

	/**
	 * Resolves the default database, on the calling thread.
	 */
	RangeStore currentStore() {
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

	boolean isCurrentFixed() {
		return this.stores.isCurrentFixed();
	}

	/**
	 * Names the sequence of an entity type.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the exact name of the counter
	 */
	public String nameOf(@Nullable Class<?> entityType) {
		return this.names.nameOf(Arguments.requireType(entityType));
	}

	boolean isNameFixed(@Nullable Class<?> entityType) {
		return this.names.isFixed(Arguments.requireType(entityType));
	}

}
