package io.github.hilo.internal.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.sequence.PlacedSequence;
import io.github.hilo.internal.sequence.ReservationFailure;
import io.github.hilo.internal.sequence.Waiter;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoSequence;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Issues ids of the engine to reactive callers, who inject
 * {@link ReactiveHiLoIdGenerator}. Thread-safe: all fields are final.
 */
public final class DefaultReactiveHiLoIdGenerator implements ReactiveHiLoIdGenerator {

	private static final Scheduler ANSWERS = Schedulers.fromExecutor(DefaultReactiveHiLoIdGenerator::handOver);

	private final HiLoEngine engine;

	private final Mono<RangeStore> store;

	private final Function<String, Mono<RangeStore>> named;

	// The view for the default database, or null if it is this one.
	private final @Nullable DefaultReactiveHiLoIdGenerator defaultView;

	// This generator. A spy has a copy of this field, so there it is not the spy itself.
	private final DefaultReactiveHiLoIdGenerator original = this;

	/**
	 * @param fixed returns whether the default database is always the same, so that it is
	 * enough to resolve it once; called when the database is resolved
	 */
	public DefaultReactiveHiLoIdGenerator(HiLoEngine engine, Mono<RangeStore> defaultStore, BooleanSupplier fixed,
			Function<String, Mono<RangeStore>> named) {
		this(engine, onceIf(fixed, defaultStore), (database) -> onceIf(fixed, named.apply(database)), null);
	}

	private static Mono<RangeStore> onceIf(BooleanSupplier fixed, Mono<RangeStore> store) {
		AtomicReference<@Nullable RangeStore> cached = new AtomicReference<>();
		Mono<RangeStore> resolved = store.doOnNext((found) -> cached.set(fixed.getAsBoolean() ? found : null))
			.switchIfEmpty(
					Mono.error(() -> new IllegalStateException("The ReactiveMongoDatabaseFactory gave no database")));
		return Mono.defer(() -> {
			RangeStore once = cached.get();
			return (once != null) ? Mono.just(once) : resolved;
		});
	}

	private DefaultReactiveHiLoIdGenerator(HiLoEngine engine, Mono<RangeStore> store,
			Function<String, Mono<RangeStore>> named, @Nullable DefaultReactiveHiLoIdGenerator defaultView) {
		this.engine = engine;
		this.store = store;
		this.named = named;
		this.defaultView = defaultView;
	}

	/**
	 * Returns a generator if it is one of these. Returns {@code null} if it is one of the
	 * application, or a spy of one of these, because the stubs of a spy must be called.
	 */
	public static @Nullable DefaultReactiveHiLoIdGenerator own(ReactiveHiLoIdGenerator generator) {
		return (generator instanceof DefaultReactiveHiLoIdGenerator own && own.original == own) ? own : null;
	}

	public Mono<RangeStore> store() {
		return this.store;
	}

	@Override
	public ReactiveHiLoSequence sequence(Class<?> entityType) {
		Arguments.requireType(entityType);
		return new Handle(this.engine, this.store, () -> this.engine.names().nameOf(entityType),
				() -> this.engine.names().registerPlaceOf(entityType));
	}

	@Override
	public ReactiveHiLoSequence sequence(String sequence) {
		Names.requireSequence(sequence);
		return new Handle(this.engine, this.store, () -> sequence, () -> null);
	}

	@Override
	public ReactiveHiLoIdGenerator forDatabase(@Nullable String database) {
		DefaultReactiveHiLoIdGenerator first = (this.defaultView != null) ? this.defaultView : this;
		return (database != null)
				? new DefaultReactiveHiLoIdGenerator(this.engine, this.named.apply(database), this.named, first)
				: first;
	}

	@Override
	public Mono<Void> release() {
		Mono<Void> released = (this.defaultView == null) ? release(null)
				: this.store.flatMap((found) -> release(found.database()));
		return released.timeout(this.engine.timeout(), Mono.empty());
	}

	private Mono<Void> release(@Nullable String database) {
		return Mono.fromFuture(() -> this.engine.releaseAsync(database)).publishOn(ANSWERS);
	}

	/**
	 * Makes a call, or a save, that ends within its limit. The limit begins with the
	 * subscription.
	 */
	public static <T> Mono<T> within(HiLoEngine engine, Supplier<String> sequence, Function<Deadline, Mono<T>> call) {
		return Mono.deferContextual((context) -> {
			Deadline deadline = engine.deadline();
			CompletableFuture<T> made = call.apply(deadline).contextWrite(context).toFuture();
			Mono<T> answer = Mono.fromFuture(made);
			return made.isDone() ? answer
					: answer.timeout(deadline.left(), Mono.error(() -> overdue(sequence, deadline)));
		});
	}

	private static HiLoUnavailableException overdue(Supplier<String> sequence, Deadline deadline) {
		String database = deadline.database().isEmpty() ? "" : " of database " + Names.quoted(deadline.database());
		return new HiLoUnavailableException("No range for sequence " + Names.quoted(sequence.get()) + database + ": "
				+ ReservationFailure.overdue(deadline), new TimeoutException());
	}

	/**
	 * Makes a call with each subscription. If the call had to wait, a thread of Reactor
	 * publishes the answer, because the thread that serves every waiter must not run code
	 * of the subscriber.
	 * @param place where ids of the place's form go, or {@code null} if that is not known
	 */
	public static <T> Mono<T> call(HiLoEngine engine, RangeStore store, String sequence, @Nullable Place place,
			Deadline deadline, BiFunction<PlacedSequence, Deadline, CompletableFuture<T>> call) {
		PlacedSequence placed = engine.sequence(store, sequence).placed(place);
		deadline.resolved(store.database());
		return Mono.defer(() -> {
			CompletableFuture<T> made = call.apply(placed, deadline);
			Mono<T> answer = Mono.fromFuture(made);
			return (made.isDone() ? answer : answer.publishOn(ANSWERS)).onErrorMap(Exception.class,
					ReservationFailure::copyOf);
		});
	}

	private static void handOver(Runnable answer) {
		try {
			Schedulers.parallel().schedule(answer);
		}
		catch (RejectedExecutionException ex) {
			// Reactor was shut down, and the subscriber must still get the outcome.
			answer.run();
		}
	}

	/**
	 * A sequence that resolves its database and name for each subscription.
	 *
	 * @param place returns where the ids go, or {@code null} if that is not known
	 */
	private record Handle(HiLoEngine engine, Mono<RangeStore> store, Supplier<String> name,
			Supplier<@Nullable Place> place) implements ReactiveHiLoSequence {

		@Override
		public Mono<Long> nextId() {
			return take(1, false).map(Waiter::first);
		}

		@Override
		public Mono<String> nextDocumentId() {
			return take(1, true).map(Waiter::firstDocumentId);
		}

		@Override
		public Mono<Long> ensureAtLeast(long floor) {
			return make((sequence, deadline) -> sequence.requestRaise(floor, deadline));
		}

		@Override
		public Mono<long[]> nextIds(int count) {
			return take(count, false).map(Waiter::numbers);
		}

		@Override
		public Mono<List<String>> nextDocumentIds(int count) {
			return take(count, true).map(Waiter::documentIds);
		}

		private Mono<Waiter> take(int count, boolean text) {
			return make((sequence, deadline) -> sequence.request(count, text, deadline));
		}

		private <T> Mono<T> make(BiFunction<PlacedSequence, Deadline, CompletableFuture<T>> call) {
			return within(this.engine, this.name, (deadline) -> this.store
				.flatMap((store) -> call(this.engine, store, this.name.get(), this.place.get(), deadline, call)));
		}

	}

}
