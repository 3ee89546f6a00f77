package io.github.hilo.internal.engine;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.github.hilo.Arguments;
import io.github.hilo.internal.sequence.Waiter;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.IdForm;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.text.Names;
import io.github.hilo.reactive.ReactiveHiLoIdGenerator;
import io.github.hilo.reactive.ReactiveHiLoSequence;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Issues ids of the engine to reactive callers, who inject
 * {@link ReactiveHiLoIdGenerator}. Thread-safe: all fields are final.
 */
public final class DefaultReactiveHiLoIdGenerator implements ReactiveHiLoIdGenerator {

	private final ReactiveCalls calls;

	private final Mono<RangeStore> store;

	private final Function<String, Mono<RangeStore>> named;

	// The view for the default database, or null if it is this one.
	private final @Nullable DefaultReactiveHiLoIdGenerator defaultView;

	// This generator. A spy has a copy of this field, so there it is not the spy itself.
	private final DefaultReactiveHiLoIdGenerator original = this;

	/**
	 * @param defaultStore resolves the default database for each subscriber
	 * @param named resolves a database by its name
	 */
	public DefaultReactiveHiLoIdGenerator(ReactiveCalls calls, Mono<RangeStore> defaultStore,
			Function<String, Mono<RangeStore>> named) {
		this(calls, orRefused(defaultStore), (database) -> orRefused(named.apply(database)), null);
	}

	private static Mono<RangeStore> orRefused(Mono<RangeStore> store) {
		return store.switchIfEmpty(
				Mono.error(() -> new IllegalStateException("The ReactiveMongoDatabaseFactory gave no database")));
	}

	private DefaultReactiveHiLoIdGenerator(ReactiveCalls calls, Mono<RangeStore> store,
			Function<String, Mono<RangeStore>> named, @Nullable DefaultReactiveHiLoIdGenerator defaultView) {
		this.calls = calls;
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
		return new Handle(this.calls, this.store,
				new SequenceKey.OfType(Arguments.requireType(entityType), this.calls.engine()));
	}

	@Override
	public ReactiveHiLoSequence sequence(String sequence) {
		return new Handle(this.calls, this.store,
				new SequenceKey.OfName(Names.requireSequence(sequence), this.calls.engine()));
	}

	@Override
	public ReactiveHiLoIdGenerator forDatabase(@Nullable String database) {
		DefaultReactiveHiLoIdGenerator first = (this.defaultView != null) ? this.defaultView : this;
		return (database != null)
				? new DefaultReactiveHiLoIdGenerator(this.calls, this.named.apply(database), this.named, first) : first;
	}

	@Override
	public Mono<Void> release() {
		return this.calls.endInTime((this.defaultView == null) ? this.calls.release(null)
				: this.store.flatMap((found) -> this.calls.release(found.database())));
	}

	/**
	 * A sequence that resolves its database and name for each subscription.
	 */
	private record Handle(ReactiveCalls calls, Mono<RangeStore> store,
			SequenceKey key) implements ReactiveHiLoSequence {

		@Override
		public Mono<Long> nextId() {
			return take(1, IdForm.NUMBER).map(Waiter::first);
		}

		@Override
		public Mono<String> nextDocumentId() {
			return take(1, IdForm.TEXT).map(Waiter::firstDocumentId);
		}

		@Override
		public Mono<Long> ensureAtLeast(long floor) {
			return make((store, deadline) -> this.calls.raise(store, this.key.name(), floor, deadline));
		}

		@Override
		public Mono<long[]> nextIds(int count) {
			return take(count, IdForm.NUMBER).map(Waiter::numbers);
		}

		@Override
		public Mono<List<String>> nextDocumentIds(int count) {
			return take(count, IdForm.TEXT).map(Waiter::documentIds);
		}

		private Mono<Waiter> take(int count, IdForm form) {
			return make(
					(store, deadline) -> Mono.using(() -> (form == IdForm.TEXT) ? Claim.NONE : this.key.claim(store),
							(claim) -> this.calls
								.take(store, this.key.name(), this.key.registerPlace(), count, form, deadline)
								.doOnNext((issued) -> claim.issued()),
							Claim::end));
		}

		private <T> Mono<T> make(BiFunction<RangeStore, Deadline, Mono<T>> call) {
			return this.calls.within(this.key::name,
					(deadline) -> this.store.flatMap((store) -> call.apply(store, deadline)));
		}

	}

}
