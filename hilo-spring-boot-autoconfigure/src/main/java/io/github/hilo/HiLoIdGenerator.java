package io.github.hilo;

import org.jspecify.annotations.Nullable;

/**
 * Numbers and document ids from ranges reserved in MongoDB.
 * <p>
 * Numbers start at 1 (or at the configured initial value), grow within a range, and no
 * number of a sequence is issued twice by anyone; there are gaps, and ranges of several
 * processes interleave. A call costs what a counter in memory costs, except where a range
 * is used up: then it waits for one round trip to MongoDB, at most for
 * {@code hilo.timeout}.
 * <p>
 * Thread-safe. Every method that issues throws {@link HiLoUnavailableException} when no
 * range could be reserved in time, {@link HiLoDocumentException} when the counter
 * document is malformed or exhausted, {@link IllegalArgumentException} for a null
 * argument, a blank name or a type without a collection, and
 * {@link IllegalStateException} once the generator is closed.
 */
public interface HiLoIdGenerator {

	/**
	 * Issues the next number of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return a number, at least 1
	 */
	long nextId(Class<?> entityType);

	/**
	 * Issues the next number of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return a number, at least 1
	 */
	long nextId(String sequence);

	/**
	 * Issues the next number of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return a number, at least 1
	 */
	long nextIdFor(Object entity);

	/**
	 * Issues the next document id of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return an id such as {@code orders/54-A}
	 */
	String nextDocumentId(Class<?> entityType);

	/**
	 * Issues the next document id of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return an id such as {@code orders/54-A}
	 */
	String nextDocumentId(String sequence);

	/**
	 * Issues the next document id of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return an id such as {@code orders/54-A}
	 */
	String nextDocumentIdFor(Object entity);

	/**
	 * Returns a handle of an entity type's sequence, for hot loops.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the handle; getting it reserves nothing
	 */
	HiLoSequence sequence(Class<?> entityType);

	/**
	 * Returns a handle of a sequence, for hot loops.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return the handle; getting it reserves nothing
	 */
	HiLoSequence sequence(String sequence);

	/**
	 * Returns the same generator for the counters of another database.
	 * @param database the database's name, or {@code null} for the default database: the
	 * one that the application's {@code MongoDatabaseFactory} resolves on the thread of
	 * each call
	 * @return a view that shares this generator's ranges and its life
	 */
	HiLoIdGenerator forDatabase(@Nullable String database);

	/**
	 * Returns every unused range to MongoDB now; the generator stays usable. On a view
	 * made by {@link #forDatabase} only that database's ranges go back. Waits for the
	 * returns, at most for {@code hilo.timeout}; one that fails is logged, and its
	 * numbers become a gap.
	 */
	void release();

}
