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
 * Issues numbers and document ids to reactive callers, from the same counters and ranges
 * as {@link HiLoIdGenerator}, and never blocks a thread that subscribes.
 * <p>
 * No number is issued before a subscription, and every subscription gets numbers of its
 * own. Subscriptions that find no number in memory share one reservation, wait at most
 * for {@code hilo.timeout}, and receive their numbers on threads of the library that must
 * not block. Those of one thread receive them in the order in which they were made, so
 * that the elements of a list keep their order. If a subscription is cancelled, a number
 * that was already taken for it becomes a gap.
 * <p>
 * This generator does not call the bean of type {@link HiLoIdGenerator}. So a decorator
 * or a replacement of that bean does not see these ids.
 * <p>
 * An implementation must provide {@link #sequence(Class)}, {@link #sequence(String)},
 * {@link #forDatabase} and {@link #release}. All other methods, and any added later, call
 * {@code sequence} by default.
 * <p>
 * Thread-safe. Every failure is an error signal, also for a null argument:
 * {@link HiLoUnavailableException} if no range could be reserved in time,
 * {@link HiLoDocumentException} if the counter document or the server prefix document is
 * malformed, {@link HiLoExhaustedException} if the counter has no number left,
 * {@link IllegalArgumentException} for a null argument, an invalid name, a count or a
 * floor out of bounds or a type without a collection, and {@link IllegalStateException}
 * after the generator is closed. Only {@link #forDatabase} and {@code sequence} throw.
 * {@link HiLoIdGenerator} describes which names are invalid, and why no name may be made
 * from users' input.
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
	 * @param sequence the exact name of the counter, such as {@code orders}
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
	 * @param sequence the exact name of the counter, such as {@code orders}
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
	 * @param sequence the exact name of the counter, such as {@code orders}
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
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids, by ascending number
	 */
	default Mono<List<String>> nextDocumentIds(String sequence, int count) {
		return Mono.defer(() -> sequence(Arguments.requireSequence(sequence)).nextDocumentIds(count));
	}

	/**
	 * Returns a handle of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return the handle; the call reserves nothing
	 */
	ReactiveHiLoSequence sequence(Class<?> entityType);

	/**
	 * Returns a handle of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return the handle; the call reserves nothing
	 */
	ReactiveHiLoSequence sequence(String sequence);

	/**
	 * Returns a view of this generator for the counters of another database.
	 * @param database the database's name, or {@code null} for the default database,
	 * which the application's {@code ReactiveMongoDatabaseFactory} resolves for each
	 * subscription, with its context
	 * @return a view that shares this generator's ranges and is closed with this
	 * generator
	 * @throws IllegalArgumentException if no database can have the name; see
	 * {@link HiLoIdGenerator#forDatabase}
	 */
	ReactiveHiLoIdGenerator forDatabase(@Nullable String database);

	/**
	 * Returns every unused range to MongoDB on subscription. The generator stays usable.
	 * A view made by {@link #forDatabase} returns only the ranges of its database. If a
	 * return fails, the failure is logged and the numbers become a gap.
	 * @return a signal that completes after the returns, at the latest after
	 * {@code hilo.timeout}
	 */
	Mono<Void> release();

	/**
	 * Raises an entity type's counter; see {@link #ensureAtLeast(String, long)}.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @param floor the highest number in use, from 1 to
	 * {@link HiLoIdGenerator#MAX_NUMBER}
	 * @return where the counter stands, at least at the floor
	 */
	default Mono<Long> ensureAtLeast(Class<?> entityType, long floor) {
		return Mono.defer(() -> sequence(Arguments.requireType(entityType)).ensureAtLeast(floor));
	}

	/**
	 * Raises a counter on subscription, as
	 * {@link HiLoIdGenerator#ensureAtLeast(String, long)} does.
	 * <p>
	 * After a {@link HiLoUnavailableException} the counter may have been raised, and a
	 * second try does no harm. If a subscription is cancelled before the command is sent,
	 * nothing is raised.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @param floor the highest number in use, from 1 to
	 * {@link HiLoIdGenerator#MAX_NUMBER}
	 * @return where the counter stands, at least at the floor; emitted on a thread of the
	 * library that must not block, at the latest after {@code hilo.timeout}
	 */
	default Mono<Long> ensureAtLeast(String sequence, long floor) {
		return Mono.defer(() -> sequence(Arguments.requireSequence(sequence)).ensureAtLeast(floor));
	}

}
