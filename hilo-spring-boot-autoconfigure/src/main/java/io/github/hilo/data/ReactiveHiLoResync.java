package io.github.hilo.data;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.reactive.DefaultReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.store.RangeStore;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Raises counters to the highest id that is stored already, as {@link HiLoResync} does,
 * for callers that must not block.
 * <p>
 * Nothing is read before a subscription, and each subscription reads again. The default
 * database is the one that {@link ReactiveHiLoIdGenerator} takes ids from, resolved for
 * each subscription with its context. A subscription that is cancelled begins no raise
 * any more; a scan that has begun goes on, and its result is not used. Everything is
 * emitted on {@link Schedulers#parallel()}.
 * <p>
 * Thread-safe. Everything that goes wrong is an error signal:
 * {@link HiLoUnavailableException} if MongoDB did not answer,
 * {@link HiLoDocumentException} if an id is beyond {@link HiLoIdGenerator#MAX_FLOOR} or
 * the counter document is malformed, {@link IllegalArgumentException} for a null
 * argument, a blank name or a type without a collection, and
 * {@link IllegalStateException} once the generator is closed. Nothing was raised then,
 * except where {@link ReactiveHiLoIdGenerator#ensureAtLeast} says so; of several
 * sequences of a collection, those before may have been raised.
 */
public final class ReactiveHiLoResync {

	private final DefaultReactiveHiLoIdGenerator databases;

	private final CounterResync counters;

	private final Scheduler tasks;

	/**
	 * Creates a resync for the default database.
	 * @param engine raises the counters
	 * @param databases resolves the database for each subscription
	 * @param names names the sequences of entity types
	 */
	public ReactiveHiLoResync(HiLoEngine engine, DefaultReactiveHiLoIdGenerator databases, MappedSequenceNames names) {
		this(databases, new CounterResync(engine, names), Schedulers.fromExecutor(engine.executor()));
	}

	private ReactiveHiLoResync(DefaultReactiveHiLoIdGenerator databases, CounterResync counters, Scheduler tasks) {
		this.databases = databases;
		this.counters = counters;
		this.tasks = tasks;
	}

	/**
	 * Raises the counter of an entity type's ids to the highest id in the collection that
	 * the type is saved to.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public Mono<Long> resync(Class<?> entityType) {
		return one(() -> this.counters.place(entityType), this.counters::resync);
	}

	/**
	 * Raises a counter to the highest id in a collection: of the fields that known types
	 * number from the sequence, or else of {@code _id}.
	 * @param collection the collection's name
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public Mono<Long> resync(String collection, String sequence) {
		return one(() -> this.counters.place(collection, sequence), this.counters::resync);
	}

	/**
	 * Raises every counter of a collection to the highest of its ids, one after the
	 * other: the counters of the ids, and of the properties with {@code @HiLo}, of those
	 * entity types known by now that are saved to it, or else the one that has the
	 * collection's name.
	 * @param collection the collection's name
	 * @return for each sequence where its counter stands, or 0 if the collection holds no
	 * such id, and the counter was left alone
	 */
	public Mono<Map<String, Long>> resyncCollection(String collection) {
		return each(collection, this.counters::resync);
	}

	/**
	 * Tells what {@link #resync(String, String)} would do now, and changes nothing.
	 * @param collection the collection's name
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return the highest id and the counter
	 */
	public Mono<HiLoResync.Report> report(String collection, String sequence) {
		return one(() -> this.counters.place(collection, sequence), this.counters::report);
	}

	/**
	 * Tells what {@link #resyncCollection} would do now, and changes nothing.
	 * @param collection the collection's name
	 * @return the highest id and the counter of each sequence
	 */
	public Mono<Map<String, HiLoResync.Report>> reportCollection(String collection) {
		return each(collection, this.counters::report);
	}

	/**
	 * Returns the same for the documents and counters of another database.
	 * @param database the database's name, or {@code null} for the default database
	 * @return a resync of that database
	 * @throws IllegalArgumentException if no database can have the name
	 */
	public ReactiveHiLoResync forDatabase(@Nullable String database) {
		return new ReactiveHiLoResync(this.databases.forDatabase(database), this.counters, this.tasks);
	}

	private <T> Mono<T> one(Supplier<CounterResync.Place> place,
			BiFunction<CounterResync.Place, RangeStore, CompletableFuture<T>> action) {
		return Mono.fromSupplier(place)
			.flatMap((found) -> store().flatMap((store) -> Mono.fromFuture(action.apply(found, store))))
			.publishOn(Schedulers.parallel());
	}

	private <T> Mono<Map<String, T>> each(String collection,
			BiFunction<CounterResync.Place, RangeStore, CompletableFuture<T>> action) {
		return Mono.fromSupplier(() -> this.counters.placesOf(collection))
			.flatMap((places) -> store().flatMap((store) -> Flux.fromIterable(places)
				.concatMap((place) -> Mono.fromFuture(() -> action.apply(place, store))
					.map((result) -> Map.entry(place.sequence(), result)))
				.<Map<String, T>>collect(TreeMap::new,
						(results, result) -> results.put(result.getKey(), result.getValue()))))
			.publishOn(Schedulers.parallel());
	}

	/**
	 * Resolves the database on the subscriber's thread, and leaves that thread before a
	 * driver is used.
	 */
	private Mono<RangeStore> store() {
		return this.databases.store().publishOn(this.tasks);
	}

}
