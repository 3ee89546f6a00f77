package io.github.hilo.data;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.StoredIds;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.StringUtils;

/**
 * Raises counters to the highest id that is stored already, for documents that come from
 * another system, or from a backup.
 * <p>
 * Ids are numbers of any type, or texts such as {@code orders/54-A} that begin with the
 * sequence's name and the configured separator. Of an id whose tag or server prefix holds
 * digits the highest number that it may stand for is taken, so that the counter gets too
 * high rather than too low. Ids of any other form are left out of account.
 * <p>
 * A counter that is created, or raised because it is behind, goes above the stored ids by
 * itself ({@code hilo.above-stored-ids}). A resync is for counters that are there
 * already, and for reading long before the first id is needed.
 * <p>
 * <b>Stop whatever writes documents with ids of its own first:</b> what is stored while
 * the ids are read may be missed. Documents that were deleted can't be seen at all: where
 * the other system has a counter, pass that to {@link HiLoIdGenerator#ensureAtLeast}.
 * <p>
 * Numbers take one look into the {@code _id} index; texts take a walk along it, which is
 * as long as there are documents, and tells its progress in the log every 10 seconds.
 * <p>
 * Thread-safe. Every method throws {@link HiLoUnavailableException} if MongoDB did not
 * answer, {@link HiLoDocumentException} if an id is beyond
 * {@link HiLoIdGenerator#MAX_FLOOR} or the counter document is malformed,
 * {@link IllegalArgumentException} for a blank name or a type without a collection, and
 * {@link IllegalStateException} once the generator is closed. Nothing was raised then,
 * except where {@link HiLoIdGenerator#ensureAtLeast} says so.
 */
public final class HiLoResync {

	private static final Logger logger = LoggerFactory.getLogger(HiLoResync.class);

	private static final Duration STEP_TIMEOUT = Duration.ofMinutes(1);

	private final HiLoEngine engine;

	private final @Nullable String database;

	private final MappedSequenceNames names;

	/**
	 * Creates a resync for the default database.
	 * @param engine finds the stored ids and raises the counters
	 * @param names names the sequences of entity types
	 */
	public HiLoResync(HiLoEngine engine, MappedSequenceNames names) {
		this(engine, null, names);
	}

	private HiLoResync(HiLoEngine engine, @Nullable String database, MappedSequenceNames names) {
		this.engine = engine;
		this.database = database;
		this.names = names;
	}

	/**
	 * Raises the counter of an entity type's ids to the highest id in the collection that
	 * the type is saved to.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public long resync(Class<?> entityType) {
		String sequence = this.names.nameOf(entityType);
		return resync(this.names.collectionOf(entityType), sequence);
	}

	/**
	 * Raises a counter to the highest id in a collection: of the fields that known types
	 * number from the sequence, or else of {@code _id}.
	 * @param collection the collection's name
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public long resync(String collection, String sequence) {
		Place place = place(collection, sequence);
		long highest = highest(place);
		if (highest == 0) {
			logger.info("There is no id of {}; its counter was left alone", place);
			return 0;
		}
		long max = this.engine.raise(this.database, sequence, highest);
		logger.info("The highest id of {} is {}; its counter stands at {}", place, highest, max);
		return max;
	}

	/**
	 * Raises every counter of a collection to the highest of its ids: the counters of the
	 * ids, and of the properties with {@code @HiLo}, of those entity types known by now
	 * that are saved to it, or else the one that has the collection's name.
	 * @param collection the collection's name
	 * @return for each sequence where its counter stands, or 0 if the collection holds no
	 * such id, and the counter was left alone
	 */
	public Map<String, Long> resyncCollection(String collection) {
		return forEachSequence(collection, this::resync);
	}

	/**
	 * Tells what {@link #resync(String, String)} would do now, and changes nothing.
	 * @param collection the collection's name
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return the highest id and the counter
	 */
	public Report report(String collection, String sequence) {
		Place place = place(collection, sequence);
		long highest = highest(place);
		return new Report(highest, await(place.ids().counter(sequence, STEP_TIMEOUT)));
	}

	/**
	 * Tells what {@link #resyncCollection} would do now, and changes nothing.
	 * @param collection the collection's name
	 * @return the highest id and the counter of each sequence
	 */
	public Map<String, Report> reportCollection(String collection) {
		return forEachSequence(collection, this::report);
	}

	/**
	 * Returns the same for the documents and counters of another database.
	 * @param database the database's name, or {@code null} for the default database
	 * @return a resync of that database
	 */
	public HiLoResync forDatabase(@Nullable String database) {
		return new HiLoResync(this.engine, (database != null) ? Names.requireDatabase(database) : null, this.names);
	}

	private <T> Map<String, T> forEachSequence(String collection, BiFunction<String, String, T> action) {
		requireCollection(collection);
		Map<String, T> results = new TreeMap<>();
		for (String sequence : this.names.sequencesOf(collection).keySet()) {
			results.put(sequence, action.apply(collection, sequence));
		}
		return results;
	}

	private Place place(String collection, String sequence) {
		requireCollection(collection);
		// Before the ids are read.
		Names.requireSequence(sequence);
		return new Place(this.names.scopeOf(collection, sequence), collection, sequence,
				this.engine.storedIds(this.database));
	}

	private static long highest(Place place) {
		HighestStoredId highest = await(place.ids().highest(place.sequence(), place.scope(), STEP_TIMEOUT));
		if (highest.beyond() != null) {
			throw new HiLoDocumentException("The id " + highest.beyond() + ", an id of " + place
					+ ", may stand for a number beyond " + HiLoIdGenerator.MAX_FLOOR
					+ ", the highest that a counter can be raised to. Nothing was raised."
					+ " Give the document another id, or find the highest number yourself and pass it to"
					+ " HiLoIdGenerator.ensureAtLeast.");
		}
		return highest.number();
	}

	private static <T extends @Nullable Object> T await(CompletionStage<T> answer) {
		try {
			return answer.toCompletableFuture().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new HiLoUnavailableException("Interrupted while stored ids were being read", ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = Objects.requireNonNull(ex.getCause());
			String message = String.valueOf(cause.getMessage());
			throw (cause instanceof HiLoDocumentException) ? new HiLoDocumentException(message, cause)
					: new HiLoUnavailableException(message, cause);
		}
	}

	private static void requireCollection(@Nullable String collection) {
		if (!StringUtils.hasText(collection)) {
			throw new IllegalArgumentException("The collection name is " + ((collection == null) ? "null" : "blank")
					+ ". Pass the name of the documents' collection, such as \"orders\".");
		}
	}

	/**
	 * What a resync would find.
	 *
	 * @param highest the highest number that stored ids have, or 0 if none has one
	 * @param counter where the counter stands, or {@code null} if there is none
	 */
	public record Report(long highest, @Nullable Long counter) {

		/**
		 * Whether a resync would raise the counter, or create it.
		 * @return {@code true} if the counter is missing or behind
		 */
		public boolean isBehind() {
			return this.highest > ((this.counter != null) ? this.counter : 0);
		}

	}

	/**
	 * Whose ids are read, and for which counter.
	 */
	private record Place(StoredIdScope scope, String collection, String sequence, StoredIds ids) {

		@Override
		public String toString() {
			return "sequence " + Names.quoted(this.sequence) + " in collection " + Names.quoted(this.collection)
					+ " of database " + Names.quoted(this.ids.database());
		}

	}

}
