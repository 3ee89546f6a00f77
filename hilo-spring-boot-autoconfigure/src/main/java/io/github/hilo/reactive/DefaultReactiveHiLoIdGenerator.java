package io.github.hilo.reactive;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.AsyncSequence;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.store.RangeStore;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The reactive view on the engine. Internal; inject {@link ReactiveHiLoIdGenerator}.
 * <p>
 * Thread-safe; see {@link AsyncSequence} for why no subscriber's thread is blocked.
 *
 * @hidden
 */
public final class DefaultReactiveHiLoIdGenerator implements ReactiveHiLoIdGenerator {

	private final HiLoEngine engine;

	private final Mono<RangeStore> store;

	private final Mono<RangeStore> defaultStore;

	/**
	 * The only database whose ranges {@link #release()} returns.
	 */
	private final @Nullable String database;

	/**
	 * Creates a view for the default database.
	 * @param engine the engine
	 * @param defaultStore resolves the default database for each subscriber
	 * @param fixed whether that is always the same database, so that it is enough to
	 * resolve it once
	 */
	public DefaultReactiveHiLoIdGenerator(HiLoEngine engine, Mono<RangeStore> defaultStore, boolean fixed) {
		this(engine, required(fixed ? defaultStore.cacheInvalidateIf((store) -> false) : defaultStore), null, null);
	}

	private DefaultReactiveHiLoIdGenerator(HiLoEngine engine, Mono<RangeStore> defaultStore,
			@Nullable Mono<RangeStore> store, @Nullable String database) {
		this.engine = engine;
		this.defaultStore = defaultStore;
		this.store = (store != null) ? store : defaultStore;
		this.database = database;
	}

	/**
	 * Resolves the database that a subscription would get an id of.
	 * @return the database's store
	 */
	public Mono<RangeStore> store() {
		return this.store;
	}

	@Override
	public Mono<Long> nextId(Class<?> entityType) {
		return issue((store) -> this.engine.async(store, entityType), AsyncSequence::nextId);
	}

	@Override
	public Mono<Long> nextId(String sequence) {
		return issue((store) -> this.engine.async(store, sequence), AsyncSequence::nextId);
	}

	@Override
	public Mono<Long> nextIdFor(Object entity) {
		return issue((store) -> this.engine.asyncFor(store, entity), AsyncSequence::nextId);
	}

	@Override
	public Mono<String> nextDocumentId(Class<?> entityType) {
		return issue((store) -> this.engine.async(store, entityType), AsyncSequence::nextDocumentId);
	}

	@Override
	public Mono<String> nextDocumentId(String sequence) {
		return issue((store) -> this.engine.async(store, sequence), AsyncSequence::nextDocumentId);
	}

	@Override
	public Mono<String> nextDocumentIdFor(Object entity) {
		return issue((store) -> this.engine.asyncFor(store, entity), AsyncSequence::nextDocumentId);
	}

	@Override
	public Mono<long[]> nextIds(Class<?> entityType, int count) {
		return issue((store) -> this.engine.async(store, entityType), (sequence) -> sequence.nextIds(count));
	}

	@Override
	public Mono<long[]> nextIds(String sequence, int count) {
		return issue((store) -> this.engine.async(store, sequence), (found) -> found.nextIds(count));
	}

	@Override
	public Mono<List<String>> nextDocumentIds(Class<?> entityType, int count) {
		return issue((store) -> this.engine.async(store, entityType), (sequence) -> sequence.nextDocumentIds(count));
	}

	@Override
	public Mono<List<String>> nextDocumentIds(String sequence, int count) {
		return issue((store) -> this.engine.async(store, sequence), (found) -> found.nextDocumentIds(count));
	}

	@Override
	public Mono<Long> ensureAtLeast(Class<?> entityType, long floor) {
		return raise(() -> this.engine.nameOf(entityType), floor);
	}

	@Override
	public Mono<Long> ensureAtLeast(String sequence, long floor) {
		return raise(() -> sequence, floor);
	}

	@Override
	public DefaultReactiveHiLoIdGenerator forDatabase(@Nullable String database) {
		return new DefaultReactiveHiLoIdGenerator(this.engine, this.defaultStore,
				(database != null) ? Mono.just(this.engine.storeOf(database)) : null, database);
	}

	@Override
	public Mono<Void> release() {
		return Mono.fromFuture(() -> this.engine.releaseAsync(this.database, null, Integer.MAX_VALUE))
			.onErrorComplete(HiLoUnavailableException.class)
			.publishOn(Schedulers.parallel());
	}

	private <T> Mono<T> issue(Function<RangeStore, AsyncSequence> sequence,
			Function<AsyncSequence, CompletableFuture<T>> call) {
		return this.store.flatMap((store) -> Mono
			.fromFuture(call.apply(sequence.apply(store).answeringOn(DefaultReactiveHiLoIdGenerator::handOver))));
	}

	private Mono<Long> raise(Supplier<String> sequence, long floor) {
		return this.store.flatMap((store) -> Mono.fromFuture(
				this.engine.raiseAsync(store, sequence.get(), floor, DefaultReactiveHiLoIdGenerator::handOver)));
	}

	/**
	 * Leaves the thread that completes what others wait for, too, before code of the
	 * subscriber runs.
	 */
	private static void handOver(Runnable answer) {
		try {
			Schedulers.parallel().schedule(answer);
		}
		catch (RejectedExecutionException ex) {
			// Reactor was shut down, and the subscriber has to hear of the end.
			answer.run();
		}
	}

	private static Mono<RangeStore> required(Mono<RangeStore> store) {
		return store.switchIfEmpty(
				Mono.error(() -> new IllegalStateException("The ReactiveMongoDatabaseFactory gave no database")));
	}

}
