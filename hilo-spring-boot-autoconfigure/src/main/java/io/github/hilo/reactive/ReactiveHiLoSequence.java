package io.github.hilo.reactive;

import java.util.List;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A handle of one sequence, for reactive callers. A handle for the default database
 * resolves the database for each subscription, as the generator does.
 * <p>
 * An implementation must provide {@link #nextId}, {@link #nextDocumentId} and
 * {@link #ensureAtLeast}. All other methods, and any added later, are default methods.
 * <p>
 * Thread-safe. Failures are the same error signals as those of
 * {@link ReactiveHiLoIdGenerator}.
 */
public interface ReactiveHiLoSequence {

	/**
	 * Issues the next number.
	 * @return a number, at least 1
	 */
	Mono<Long> nextId();

	/**
	 * Issues the next document id.
	 * @return an id such as {@code orders/54-A}
	 */
	Mono<String> nextDocumentId();

	/**
	 * Raises the counter; see
	 * {@link ReactiveHiLoIdGenerator#ensureAtLeast(String, long)}.
	 * @param floor the highest number in use, from 1 to
	 * {@link HiLoIdGenerator#MAX_NUMBER}
	 * @return where the counter stands, at least at the floor
	 */
	Mono<Long> ensureAtLeast(long floor);

	/**
	 * Issues a block of numbers at once, for imports; see {@link HiLoSequence#nextIds}.
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the numbers, in ascending order
	 */
	default Mono<long[]> nextIds(int count) {
		return repeated(count, nextId()).map((numbers) -> numbers.stream().mapToLong(Long::longValue).toArray());
	}

	/**
	 * Issues a block of document ids at once; see {@link HiLoSequence#nextDocumentIds}.
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids, by ascending number
	 */
	default Mono<List<String>> nextDocumentIds(int count) {
		return repeated(count, nextDocumentId());
	}

	private static <T> Mono<List<T>> repeated(int count, Mono<T> each) {
		return Mono.fromCallable(() -> Arguments.requireCount(count))
			.flatMapMany((times) -> Flux.range(0, times).concatMap((i) -> each))
			.collectList();
	}

}
