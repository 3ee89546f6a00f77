package io.github.hilo;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Issues numbers and document ids from ranges that it reserves in MongoDB.
 * <p>
 * Numbers start at 1, at the configured initial value, or above the stored ids. All
 * processes together issue each number of a sequence at most once, unless somebody
 * restores, deletes or lowers the counter. There are gaps, and the ranges of several
 * processes interleave.
 * <p>
 * Most calls take a number from memory. A call waits for MongoDB, at most for
 * {@code hilo.timeout}, if the range is used up or was not yet compared with the
 * documents that the number is for.
 * <p>
 * Thread-safe. Every method that issues throws {@link HiLoUnavailableException} if no
 * range could be reserved in time, {@link HiLoDocumentException} if the counter document
 * or the server prefix document is malformed, {@link HiLoExhaustedException} if the
 * counter has no number left, {@link IllegalArgumentException} for a null argument, an
 * invalid name or a type without a collection, and {@link IllegalStateException} after
 * the generator is closed.
 * <p>
 * An implementation must provide {@link #sequence(Class)}, {@link #sequence(String)},
 * {@link #forDatabase} and {@link #release}. All other methods, and any added later, call
 * {@code sequence} by default. So a decorator that wraps the results of {@code sequence}
 * and {@code forDatabase} sees every id.
 * <p>
 * <strong>Never make the name of a sequence from users' input.</strong> Each name that is
 * used gets a counter in MongoDB for good, and memory and meters in this process until it
 * ends. A name is invalid if it is blank or ill-formed (half of a surrogate pair), or if
 * the {@code _id} of its counter, which is the configured prefix and the name, is longer
 * than 1,000 bytes of UTF-8. For an invalid name, nothing is registered or sent.
 */
public interface HiLoIdGenerator {

	/**
	 * The end of every counter, {@value}: the highest number that is issued, and the
	 * highest floor that a counter can be raised to. No call lowers a counter again.
	 */
	long MAX_NUMBER = Long.MAX_VALUE - (1L << 40);

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
	 * @param sequence the exact name of the counter, such as {@code orders}
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
	 * @param sequence the exact name of the counter, such as {@code orders}
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
	 * @param sequence the exact name of the counter, such as {@code orders}
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
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids, by ascending number
	 */
	default List<String> nextDocumentIds(String sequence, int count) {
		return sequence(Arguments.requireSequence(sequence)).nextDocumentIds(count);
	}

	/**
	 * Returns a handle of an entity type's sequence, for hot loops.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the handle; the call reserves nothing
	 */
	HiLoSequence sequence(Class<?> entityType);

	/**
	 * Returns a handle of a sequence, for hot loops.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return the handle; the call reserves nothing
	 */
	HiLoSequence sequence(String sequence);

	/**
	 * Returns a view of this generator for the counters of another database.
	 * @param database the database's name, or {@code null} for the default database,
	 * which the application's {@code MongoDatabaseFactory} resolves on the thread of each
	 * call
	 * @return a view that shares this generator's ranges and is closed with this
	 * generator
	 * @throws IllegalArgumentException if no database can have the name: it is blank or
	 * ill-formed, longer than 63 bytes of UTF-8, or contains one of {@code $ / \ . "}, a
	 * blank or a null character
	 */
	HiLoIdGenerator forDatabase(@Nullable String database);

	/**
	 * Returns every unused range to MongoDB now. The generator stays usable. A view made
	 * by {@link #forDatabase} returns only the ranges of its database. The call waits at
	 * most for {@code hilo.timeout}. If a return fails, the failure is logged and the
	 * numbers become a gap.
	 */
	void release();

	/**
	 * Raises an entity type's counter; see {@link #ensureAtLeast(String, long)}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param floor the highest number in use, from 1 to {@link #MAX_NUMBER}
	 * @return where the counter stands, at least at the floor
	 */
	default long ensureAtLeast(Class<?> entityType, long floor) {
		return sequence(Arguments.requireType(entityType)).ensureAtLeast(floor);
	}

	/**
	 * Raises a counter, so that no number up to the floor is issued any more: by this
	 * process from now on, by other processes after they have used up the ranges that
	 * they hold. This process discards its ranges below the floor, and no process returns
	 * an unused range below the floor. The counter is never lowered. The call waits for
	 * MongoDB, at most for {@code hilo.timeout}.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @param floor the highest number in use, from 1 to {@link #MAX_NUMBER}
	 * @return where the counter stands, at least at the floor
	 * @throws IllegalArgumentException if the floor is out of bounds
	 * @throws HiLoUnavailableException if MongoDB did not answer in time, or returned an
	 * error; the counter may have been raised, and a second try does no harm
	 * @throws HiLoDocumentException if the counter document is malformed
	 * @throws HiLoExhaustedException if the counter stands beyond {@link #MAX_NUMBER}
	 * @throws IllegalStateException if the generator is closed
	 */
	default long ensureAtLeast(String sequence, long floor) {
		return sequence(Arguments.requireSequence(sequence)).ensureAtLeast(floor);
	}

}
