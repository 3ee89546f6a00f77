package io.github.hilo.reactive;

import java.util.List;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.HiLoUnavailableException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Numbers and document ids for reactive callers, from the same counters and ranges as
 * those of {@link HiLoIdGenerator}. No thread that subscribes is ever blocked.
 * <p>
 * Nothing is taken before a subscription, and every subscription takes numbers of its
 * own. Those that find none share one reservation, and wait at most {@code hilo.timeout}.
 * A subscription that is cancelled gets none; a number that was on its way to it becomes
 * a gap. What had to be waited for is emitted on
 * {@link reactor.core.scheduler.Schedulers#parallel()}.
 * <p>
 * Calls do not pass the bean of type {@link HiLoIdGenerator}, so what decorates or
 * replaces that bean does not see them.
 * <p>
 * An implementation must provide {@link #sequence(Class)}, {@link #sequence(String)},
 * {@link #forDatabase} and {@link #release}. All other methods are defaults over
 * {@code sequence}, and whatever is added later will be.
 * <p>
 * Thread-safe. Everything that goes wrong is an error signal, a null argument included:
 * {@link HiLoUnavailableException} when no range could be reserved in time,
 * {@link HiLoDocumentException} when the counter document is malformed,
 * {@link HiLoExhaustedException} when the counter has no number left,
 * {@link IllegalArgumentException} for a null argument, a name, a count or a floor out of
 * bounds or a type without a collection, and {@link IllegalStateException} once the
 * generator is closed. Only {@link #forDatabase} and {@code sequence} throw.
 * {@link HiLoIdGenerator} says which names are out of bounds, and why none may be made of
 * users' input.
 */
public interface ReactiveHiLoIdGenerator {

	/**
	 * Issues the next number of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return a number, at least 1
	 */
	default Mono<Long> nextId(Class<?> entityType) {
		return Mono.defer(() -> sequence(Arguments.requireType(entityType)).nextId());
	}

	/**
	 * Issues the next number of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @return a number, at least 1
	 */
	default Mono<Long> nextId(String sequence) {
		return Mono.defer(() -> sequence(Arguments.requireSequence(sequence)).nextId());
	}

	/**
	 * Issues the next number of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return a number, at least 1
	 */
	default Mono<Long> nextIdFor(Object entity) {
		return Mono.defer(() -> nextId(Arguments.requireTypeOf(entity)));
	}

	/**
	 * Issues the next document id of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return an id such as {@code orders/54-A}
	 */
	default Mono<String> nextDocumentId(Class<?> entityType) {
		return Mono.defer(() -> sequence(Arguments.requireType(entityType)).nextDocumentId());
	}

	/**
	 * Issues the next document id of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @return an id such as {@code orders/54-A}
	 */
	default Mono<String> nextDocumentId(String sequence) {
		return Mono.defer(() -> sequence(Arguments.requireSequence(sequence)).nextDocumentId());
	}

	/**
	 * Issues the next document id of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return an id such as {@code orders/54-A}
	 */
	default Mono<String> nextDocumentIdFor(Object entity) {
		return Mono.defer(() -> nextDocumentId(Arguments.requireTypeOf(entity)));
	}

	/**
	 * Issues a block of numbers at once, for imports; see
	 * {@link ReactiveHiLoSequence#nextIds}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the numbers, in ascending order
	 */
	default Mono<long[]> nextIds(Class<?> entityType, int count) {
		return Mono.defer(() -> sequence(Arguments.requireType(entityType)).nextIds(count));
	}

	/**
	 * Issues a block of numbers at once, for imports; see
	 * {@link ReactiveHiLoSequence#nextIds}.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the numbers, in ascending order
	 */
	default Mono<long[]> nextIds(String sequence, int count) {
		return Mono.defer(() -> sequence(Arguments.requireSequence(sequence)).nextIds(count));
	}

	/**
	 * Issues a block of document ids at once, for imports; see
	 * {@link ReactiveHiLoSequence#nextDocumentIds}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids, by ascending number
	 */
	default Mono<List<String>> nextDocumentIds(Class<?> entityType, int count) {
		return Mono.defer(() -> sequence(Arguments.requireType(entityType)).nextDocumentIds(count));
	}

	/**
	 * Issues a block of document ids at once, for imports; see
	 * {@link ReactiveHiLoSequence#nextDocumentIds}.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids, by ascending number
	 */
	default Mono<List<String>> nextDocumentIds(String sequence, int count) {
		return Mono.defer(() -> sequence(Arguments.requireSequence(sequence)).nextDocumentIds(count));
	}

	/**
	 * Returns a handle of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the handle; getting it reserves nothing
	 */
	ReactiveHiLoSequence sequence(Class<?> entityType);

	/**
	 * Returns a handle of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @return the handle; getting it reserves nothing
	 */
	ReactiveHiLoSequence sequence(String sequence);

	/**
	 * Returns the same generator for the counters of another database.
	 * @param database the database's name, or {@code null} for the default database: the
	 * one that the application's {@code ReactiveMongoDatabaseFactory} resolves for each
	 * subscription, with its context
	 * @return a view that shares this generator's ranges and its life
	 * @throws IllegalArgumentException if no database can have the name; see
	 * {@link HiLoIdGenerator#forDatabase}
	 */
	ReactiveHiLoIdGenerator forDatabase(@Nullable String database);

	/**
	 * Returns every unused range to MongoDB on subscription; the generator stays usable.
	 * On a view made by {@link #forDatabase} only that database's ranges are returned. A
	 * database that does not answer keeps its ranges; a return that fails is logged, and
	 * its numbers become a gap.
	 * @return what completes with the returns, at the latest after {@code hilo.timeout}
	 */
	Mono<Void> release();

	/**
	 * Raises an entity type's counter; see {@link #ensureAtLeast(String, long)}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param floor the highest number in use, from 1 to {@link HiLoIdGenerator#MAX_FLOOR}
	 * @return where the counter stands, at least at the floor
	 */
	default Mono<Long> ensureAtLeast(Class<?> entityType, long floor) {
		return Mono.defer(() -> sequence(Arguments.requireType(entityType)).ensureAtLeast(floor));
	}

	/**
	 * Raises a counter, so that no number up to the floor is issued any more: by this
	 * process from now on, by others once they have used up the ranges that they hold.
	 * The counter is never lowered, and no unused range is returned below the floor. This
	 * process discards its own ranges below it.
	 * <p>
	 * After a {@link HiLoUnavailableException} the counter may have been raised, and
	 * trying again does no harm. A subscription that is cancelled raises nothing, unless
	 * the command is under way.
	 * @param sequence the exact name of the counter, such as {@code orders}; never one
	 * made of users' input
	 * @param floor the highest number in use, from 1 to {@link HiLoIdGenerator#MAX_FLOOR}
	 * @return where the counter stands, at least at the floor; emitted on
	 * {@link reactor.core.scheduler.Schedulers#parallel()}, at the latest after
	 * {@code hilo.timeout}
	 */
	default Mono<Long> ensureAtLeast(String sequence, long floor) {
		return Mono.defer(() -> sequence(Arguments.requireSequence(sequence)).ensureAtLeast(floor));
	}

}
