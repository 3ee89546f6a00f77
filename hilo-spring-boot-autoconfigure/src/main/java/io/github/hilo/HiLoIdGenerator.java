package io.github.hilo;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Numbers and document ids from ranges reserved in MongoDB.
 * <p>
 * Numbers start at 1 (or at the configured initial value), grow within a range, and no
 * number of a sequence is issued twice by anyone; there are gaps, and ranges of several
 * processes interleave. A call costs what a counter in memory costs, except where a range
 * is used up: then it waits for a reservation, which takes one to three commands to
 * MongoDB, and more when the counter is created, at most for {@code hilo.timeout}.
 * <p>
 * Thread-safe. Every method that issues throws {@link HiLoUnavailableException} when no
 * range could be reserved in time, {@link HiLoDocumentException} when the counter
 * document or the server prefix document is malformed, {@link HiLoExhaustedException}
 * when the counter has no number left, {@link IllegalArgumentException} for a null
 * argument, a name out of bounds or a type without a collection, and
 * {@link IllegalStateException} once the generator is closed.
 * <p>
 * An implementation must provide {@link #sequence(Class)}, {@link #sequence(String)},
 * {@link #forDatabase} and {@link #release}. All other methods are defaults over
 * {@code sequence}, and whatever is added later will be: a decorator that wraps what
 * {@code sequence} and {@code forDatabase} return sees every id.
 * <p>
 * <strong>Names of sequences are the application's own.</strong> Each that is used has a
 * counter in MongoDB for good, and memory and meters in this process until it ends: make
 * none of what users enter. A name is out of bounds if it is blank or ill-formed (half of
 * a surrogate pair), or if the {@code _id} of its counter, the configured prefix and the
 * name, is longer than 1,000 bytes of UTF-8. Nothing is registered or sent for it.
 */
public interface HiLoIdGenerator {

	/**
	 * The end of every counter, {@value}: the highest number that is issued, and the
	 * highest floor that a counter can be raised to. No call takes a raise back.
	 */
	long MAX_FLOOR = Long.MAX_VALUE - (1L << 40);

	/**
	 * Issues the next number of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return a number, at least 1
	 */
	default long nextId(Class<?> entityType) {
		return sequence(Arguments.requireType(entityType)).nextId();
	}

	/**
	 * Issues the next number of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @return a number, at least 1
	 */
	default long nextId(String sequence) {
		return sequence(Arguments.requireSequence(sequence)).nextId();
	}

	/**
	 * Issues the next number of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return a number, at least 1
	 */
	default long nextIdFor(Object entity) {
		return nextId(Arguments.requireTypeOf(entity));
	}

	/**
	 * Issues the next document id of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return an id such as {@code orders/54-A}
	 */
	default String nextDocumentId(Class<?> entityType) {
		return sequence(Arguments.requireType(entityType)).nextDocumentId();
	}

	/**
	 * Issues the next document id of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @return an id such as {@code orders/54-A}
	 */
	default String nextDocumentId(String sequence) {
		return sequence(Arguments.requireSequence(sequence)).nextDocumentId();
	}

	/**
	 * Issues the next document id of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return an id such as {@code orders/54-A}
	 */
	default String nextDocumentIdFor(Object entity) {
		return nextDocumentId(Arguments.requireTypeOf(entity));
	}

	/**
	 * Issues a block of numbers at once, for imports; see {@link HiLoSequence#nextIds}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the numbers, in ascending order
	 */
	default long[] nextIds(Class<?> entityType, int count) {
		return sequence(Arguments.requireType(entityType)).nextIds(count);
	}

	/**
	 * Issues a block of numbers at once, for imports; see {@link HiLoSequence#nextIds}.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the numbers, in ascending order
	 */
	default long[] nextIds(String sequence, int count) {
		return sequence(Arguments.requireSequence(sequence)).nextIds(count);
	}

	/**
	 * Issues a block of document ids at once, for imports; see
	 * {@link HiLoSequence#nextDocumentIds}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids, by ascending number
	 */
	default List<String> nextDocumentIds(Class<?> entityType, int count) {
		return sequence(Arguments.requireType(entityType)).nextDocumentIds(count);
	}

	/**
	 * Issues a block of document ids at once, for imports; see
	 * {@link HiLoSequence#nextDocumentIds}.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids, by ascending number
	 */
	default List<String> nextDocumentIds(String sequence, int count) {
		return sequence(Arguments.requireSequence(sequence)).nextDocumentIds(count);
	}

	/**
	 * Returns a handle of an entity type's sequence, for hot loops.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the handle; getting it reserves nothing
	 */
	HiLoSequence sequence(Class<?> entityType);

	/**
	 * Returns a handle of a sequence, for hot loops.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @return the handle; getting it reserves nothing
	 */
	HiLoSequence sequence(String sequence);

	/**
	 * Returns the same generator for the counters of another database.
	 * @param database the database's name, or {@code null} for the default database: the
	 * one that the application's {@code MongoDatabaseFactory} resolves on the thread of
	 * each call
	 * @return a view that shares this generator's ranges and its life
	 * @throws IllegalArgumentException if no database can have the name: it is blank or
	 * ill-formed, longer than 63 bytes of UTF-8, or holds one of {@code $ / \ . "}, a
	 * blank or a null character
	 */
	HiLoIdGenerator forDatabase(@Nullable String database);

	/**
	 * Returns every unused range to MongoDB now; the generator stays usable. On a view
	 * made by {@link #forDatabase} only that database's ranges are returned. A database
	 * that does not answer keeps its ranges. Waits at most for {@code hilo.timeout}; a
	 * return that fails is logged, and its numbers become a gap.
	 */
	void release();

	/**
	 * Raises an entity type's counter; see {@link #ensureAtLeast(String, long)}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param floor the highest number in use, from 1 to {@link #MAX_FLOOR}
	 * @return where the counter stands, at least at the floor
	 */
	default long ensureAtLeast(Class<?> entityType, long floor) {
		return sequence(Arguments.requireType(entityType)).ensureAtLeast(floor);
	}

	/**
	 * Raises a counter, so that no number up to the floor is issued any more: by this
	 * process from now on, by others once they have used up the ranges that they hold.
	 * The counter is never lowered, and no unused range is returned below the floor. This
	 * process discards its own ranges below it. Waits for MongoDB, at most for
	 * {@code hilo.timeout}.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @param floor the highest number in use, from 1 to {@link #MAX_FLOOR}
	 * @return where the counter stands, at least at the floor
	 * @throws IllegalArgumentException if the floor is out of bounds
	 * @throws HiLoUnavailableException if MongoDB did not answer in time, or with an
	 * error; the counter may have been raised, and trying again does no harm
	 * @throws HiLoDocumentException if the counter document is malformed
	 * @throws HiLoExhaustedException if the counter stands beyond {@link #MAX_FLOOR}
	 * @throws IllegalStateException if the generator is closed
	 */
	default long ensureAtLeast(String sequence, long floor) {
		return sequence(Arguments.requireSequence(sequence)).ensureAtLeast(floor);
	}

}
