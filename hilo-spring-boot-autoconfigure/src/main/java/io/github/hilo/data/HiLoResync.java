package io.github.hilo.data;

import java.util.Map;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
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
 * It works with either driver, and blocks. Reactive callers move it to a thread that may:
 * {@code Mono.fromCallable(() -> resync.resync(Order.class)).subscribeOn(Schedulers.boundedElastic())}.
 * <p>
 * Thread-safe. Every method throws {@link HiLoUnavailableException} if MongoDB did not
 * answer, {@link HiLoDocumentException} if an id is beyond
 * {@link HiLoIdGenerator#MAX_FLOOR} or the counter document is malformed,
 * {@link IllegalArgumentException} for a name out of bounds or a type without a
 * collection, and {@link IllegalStateException} once the generator is closed, and on an
 * event loop or another thread that must not block. Nothing was raised then, except where
 * {@link HiLoIdGenerator#ensureAtLeast} says so, and counters of a collection before the
 * one whose raise failed.
 */
public interface HiLoResync {

	/**
	 * Raises the counter of an entity type's ids to the highest id in the collection that
	 * the type is saved to.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return what was found, and where the counter stands now
	 */
	Report resync(Class<?> entityType);

	/**
	 * Raises the counter of an entity type's ids to the highest id in another collection.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param collection the name of the collection that has ids of the type's sequence,
	 * such as an archive
	 * @return what was found, and where the counter stands now
	 */
	Report resync(Class<?> entityType, String collection);

	/**
	 * Raises every counter of a collection to the highest of its ids: the counters of the
	 * ids, and of the properties with {@code @HiLo}, of those entity types known by now
	 * that are saved to it, or else the one that has the collection's name.
	 * @param collection the collection's name
	 * @return for each sequence what was found, and where its counter stands now
	 */
	Map<String, Report> resyncCollection(String collection);

	/**
	 * Tells what {@link #resync(Class)} would do now, and changes nothing.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return what was found, and where the counter stands
	 */
	Report report(Class<?> entityType);

	/**
	 * Tells what {@link #resync(Class, String)} would do now, and changes nothing.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param collection the name of the collection that has ids of the type's sequence
	 * @return what was found, and where the counter stands
	 */
	Report report(Class<?> entityType, String collection);

	/**
	 * Tells what {@link #resyncCollection} would do now, and changes nothing.
	 * @param collection the collection's name
	 * @return for each sequence what was found, and where its counter stands
	 */
	Map<String, Report> reportCollection(String collection);

	/**
	 * Returns the same for the documents and counters of another database.
	 * @param database the database's name, or {@code null} for the default database
	 * @return a resync of that database
	 * @throws IllegalArgumentException if no database can have the name
	 */
	HiLoResync forDatabase(@Nullable String database);

	/**
	 * The stored ids and the counter of a sequence.
	 *
	 * @param highest the highest number that stored ids have, or {@code null} if none has
	 * one, and the counter is left alone
	 * @param counter where the counter stands, or {@code null} if there is none
	 */
	record Report(@Nullable Long highest, @Nullable Long counter) {

		/**
		 * Whether a resync would raise the counter, or create it.
		 * @return {@code true} if the counter is missing or behind
		 */
		public boolean isBehind() {
			return this.highest != null && (this.counter == null || this.counter < this.highest);
		}

	}

}
