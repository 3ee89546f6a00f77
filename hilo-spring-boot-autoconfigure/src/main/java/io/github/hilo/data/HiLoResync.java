package io.github.hilo.data;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.store.Names;
import org.jspecify.annotations.Nullable;

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
 * itself ({@code hilo.check-stored-ids}). A resync is for counters that are there
 * already, and for reading long before the first id is needed.
 * <p>
 * <b>Stop whatever writes documents with ids of its own first:</b> what is stored while
 * the ids are read may be missed. Documents that were deleted can't be seen at all: where
 * the other system has a counter, pass that to {@link HiLoIdGenerator#ensureAtLeast}.
 * <p>
 * Numbers take one find in the {@code _id} index; texts take a scan of it, which is as
 * long as there are documents, and tells its progress in the log every 10 seconds.
 * <p>
 * Thread-safe. Every method throws {@link HiLoUnavailableException} if MongoDB did not
 * answer, {@link HiLoDocumentException} if an id is beyond
 * {@link HiLoIdGenerator#MAX_FLOOR} or the counter document is malformed,
 * {@link IllegalArgumentException} for a name out of bounds or a type without a
 * collection, and {@link IllegalStateException} once the generator is closed. Nothing was
 * raised then, except where {@link HiLoIdGenerator#ensureAtLeast} says so.
 */
public final class HiLoResync {

	private final HiLoEngine engine;

	private final @Nullable String database;

	private final CounterResync counters;

	/**
	 * Creates a resync for the default database.
	 * @param engine finds the stored ids and raises the counters
	 * @param names names the sequences of entity types
	 */
	public HiLoResync(HiLoEngine engine, MappedSequenceNames names) {
		this(engine, null, new CounterResync(engine, names));
	}

	private HiLoResync(HiLoEngine engine, @Nullable String database, CounterResync counters) {
		this.engine = engine;
		this.database = database;
		this.counters = counters;
	}

	/**
	 * Raises the counter of an entity type's ids to the highest id in the collection that
	 * the type is saved to.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public long resync(Class<?> entityType) {
		return resync(this.counters.place(entityType));
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
		return resync(this.counters.place(collection, sequence));
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
		return report(this.counters.place(collection, sequence));
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
		return new HiLoResync(this.engine, (database != null) ? Names.requireDatabase(database) : null, this.counters);
	}

	private <T> Map<String, T> forEachSequence(String collection, Function<CounterResync.Place, T> action) {
		Map<String, T> results = new TreeMap<>();
		for (CounterResync.Place place : this.counters.placesOf(collection)) {
			results.put(place.sequence(), action.apply(place));
		}
		return results;
	}

	private long resync(CounterResync.Place place) {
		return await(this.counters.resync(place, this.engine.storeOf(this.database)));
	}

	private Report report(CounterResync.Place place) {
		return await(this.counters.report(place, this.engine.storeOf(this.database)));
	}

	private static <T> T await(CompletableFuture<T> answer) {
		try {
			return answer.get();
		}
		catch (InterruptedException ex) {
			// A raise that has not begun is not begun any more.
			answer.cancel(false);
			Thread.currentThread().interrupt();
			throw new HiLoUnavailableException("Interrupted while stored ids were being read or a counter was raised",
					ex);
		}
		catch (ExecutionException ex) {
			Throwable cause = Objects.requireNonNull(ex.getCause());
			String message = String.valueOf(cause.getMessage());
			if (cause instanceof IllegalStateException) {
				throw new IllegalStateException(message, cause);
			}
			throw (cause instanceof HiLoDocumentException) ? new HiLoDocumentException(message, cause)
					: new HiLoUnavailableException(message, cause);
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

}
