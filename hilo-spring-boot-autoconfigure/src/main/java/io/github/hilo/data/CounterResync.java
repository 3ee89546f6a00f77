package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.EntitySequenceNames;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.store.Names;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.StoredIdScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.StringUtils;

/**
 * What {@link HiLoResync} and {@link ReactiveHiLoResync} share: finds the highest stored
 * id, and raises the counter to it, without blocking.
 * <p>
 * Thread-safe: it keeps nothing. What is answered is completed on threads that serve
 * every sequence.
 */
final class CounterResync {

	// The name that users know.
	private static final Logger logger = LoggerFactory.getLogger(HiLoResync.class);

	private static final Duration STEP_TIMEOUT = Duration.ofMinutes(1);

	private final HiLoEngine engine;

	private final MappedSequenceNames names;

	CounterResync(HiLoEngine engine, MappedSequenceNames names) {
		this.engine = engine;
		this.names = names;
	}

	/**
	 * Names the collection and the counter of an entity type.
	 */
	Place place(@Nullable Class<?> entityType) {
		Class<?> type = EntitySequenceNames.requireType(entityType);
		String sequence = this.names.nameOf(type);
		return place(this.names.collectionOf(type), sequence);
	}

	/**
	 * Checks the names of a collection and a counter, before anything is read.
	 */
	Place place(@Nullable String collection, @Nullable String sequence) {
		String required = requireCollection(collection);
		String name = Names.requireSequence(sequence);
		return new Place(required, name, this.names.scopeOf(required, name));
	}

	/**
	 * Names the counters of a collection.
	 */
	List<Place> placesOf(@Nullable String collection) {
		String required = requireCollection(collection);
		return this.names.sequencesOf(required)
			.entrySet()
			.stream()
			.map((sequence) -> new Place(required, Names.requireSequence(sequence.getKey()), sequence.getValue()))
			.toList();
	}

	/**
	 * Raises a counter to the highest id in a collection.
	 * @param store the database of both
	 * @return where the counter stands, or 0 if there is no such id; once it is cancelled
	 * no raise is begun any more
	 */
	CompletableFuture<Long> resync(Place place, RangeStore store) {
		// The raise belongs into the last step: a step after it would be cancelled alone.
		return highest(place, store).thenCompose((highest) -> {
			if (highest == 0) {
				logger.info("There is no id of {}; its counter was left alone", place.in(store));
				return CompletableFuture.completedFuture(0L);
			}
			return this.engine.raiseAsync(store, place.sequence(), highest, Runnable::run).thenApply((max) -> {
				logger.info("The highest id of {} is {}; its counter stands at {}", place.in(store), highest, max);
				return max;
			});
		});
	}

	/**
	 * Tells what a resync would do, and changes nothing.
	 * @param store the database of collection and counter
	 */
	CompletableFuture<HiLoResync.Report> report(Place place, RangeStore store) {
		return highest(place, store).thenCompose((highest) -> store.counter(place.sequence(), STEP_TIMEOUT)
			.thenApply((counter) -> new HiLoResync.Report(highest, counter)));
	}

	private CompletableFuture<Long> highest(Place place, RangeStore store) {
		try {
			this.engine.requireUsable(store, place.sequence());
		}
		catch (IllegalStateException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return store.storedIds().highest(place.sequence(), place.scope(), STEP_TIMEOUT).thenApply((highest) -> {
			if (highest.beyond() != null) {
				throw new HiLoDocumentException("The id " + highest.beyond() + ", an id of " + place.in(store)
						+ ", may stand for a number beyond " + HiLoIdGenerator.MAX_FLOOR
						+ ", the highest that a counter can be raised to. Nothing was raised."
						+ " Give the document another id, or find the highest number yourself and pass it to"
						+ " HiLoIdGenerator.ensureAtLeast.");
			}
			return highest.number();
		}).toCompletableFuture();
	}

	private static String requireCollection(@Nullable String collection) {
		if (!StringUtils.hasText(collection)) {
			throw new IllegalArgumentException("The collection name is " + ((collection == null) ? "null" : "blank")
					+ ". Pass the name of the documents' collection, such as \"orders\".");
		}
		return collection;
	}

	/**
	 * Whose ids are read, and for which counter.
	 *
	 * @param scope the fields to read, by what the caller's thread knows: naming may
	 * depend on it
	 */
	record Place(String collection, String sequence, StoredIdScope scope) {

		/**
		 * Describes it in a message.
		 */
		private String in(RangeStore store) {
			return "sequence " + Names.quoted(this.sequence) + " in collection " + Names.quoted(this.collection)
					+ " of database " + Names.quoted(store.database());
		}

	}

}
