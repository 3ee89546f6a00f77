package io.github.hilo.reactive;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoExhaustedException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What {@link HiLoIdGenerator} is, for reactive callers: the same numbers from the same
 * ranges, and no thread that subscribes is ever blocked.
 * <p>
 * Nothing is taken before a subscription, and every subscription takes a number of its
 * own. Those that find no number share one request for a range, each at most for
 * {@code hilo.timeout}. A subscription that is cancelled gets none; a number that was on
 * its way to it becomes a gap. An id that had to be waited for is emitted on
 * {@link reactor.core.scheduler.Schedulers#parallel()}.
 * <p>
 * Thread-safe. Everything that goes wrong is an error signal, a null argument included:
 * {@link HiLoUnavailableException} when no range could be reserved in time,
 * {@link HiLoDocumentException} when the counter document is malformed,
 * {@link HiLoExhaustedException} when the counter has no number left,
 * {@link IllegalArgumentException} for a null argument, a blank name or a type without a
 * collection, and {@link IllegalStateException} once the generator is closed.
 */
public interface ReactiveHiLoIdGenerator {

	/**
	 * Issues the next number of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return a number, at least 1
	 */
	Mono<Long> nextId(Class<?> entityType);

	/**
	 * Issues the next number of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return a number, at least 1
	 */
	Mono<Long> nextId(String sequence);

	/**
	 * Issues the next number of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return a number, at least 1
	 */
	Mono<Long> nextIdFor(Object entity);

	/**
	 * Issues the next document id of an entity type's sequence.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return an id such as {@code orders/54-A}
	 */
	Mono<String> nextDocumentId(Class<?> entityType);

	/**
	 * Issues the next document id of a sequence.
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return an id such as {@code orders/54-A}
	 */
	Mono<String> nextDocumentId(String sequence);

	/**
	 * Issues the next document id of the sequence of an entity's type.
	 * @param entity an instance of an entity type; it is not changed
	 * @return an id such as {@code orders/54-A}
	 */
	Mono<String> nextDocumentIdFor(Object entity);

	/**
	 * Returns the same generator for the counters of another database.
	 * @param database the database's name, or {@code null} for the default database: the
	 * one that the application's {@code ReactiveMongoDatabaseFactory} resolves for each
	 * subscription, with its context
	 * @return a view that shares this generator's ranges and its life
	 * @throws IllegalArgumentException if the name is blank
	 */
	ReactiveHiLoIdGenerator forDatabase(@Nullable String database);

	/**
	 * Returns every unused range to MongoDB on subscription; the generator stays usable.
	 * On a view made by {@link #forDatabase} only that database's ranges go back. A
	 * return that fails is logged, and its numbers become a gap.
	 * @return what completes with the returns, at the latest after {@code hilo.timeout}
	 */
	Mono<Void> release();

}
