package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of its looks at the stored ids of one sequence of one
 * database.
 * <p>
 * Thread-safe: the look that is under way is guarded by this object, the rest is
 * published by single volatile writes.
 */
final class StoredIdMemory {

	private final TimeSource time;

	private final Set<String> unauthorized = ConcurrentHashMap.newKeySet();

	private volatile StoredIdScope checked = StoredIdScope.NONE;

	private volatile @Nullable Failure failure;

	private @Nullable Look look;

	StoredIdMemory(TimeSource time) {
		this.time = time;
	}

	/**
	 * Whether a range of this process was found to be free of all ids of a scope.
	 */
	boolean isChecked(StoredIdScope scope) {
		return this.checked.covers(scope);
	}

	void checked(StoredIdScope scope) {
		this.checked = scope;
	}

	/**
	 * Joins the look that is under way, or begins one. A look at less than the scope is
	 * waited for first: one sequence has one at a time.
	 */
	synchronized Look joinOrBegin(StoredIdScope scope, Supplier<Look> begin) {
		Look last = this.look;
		Look joined;
		if (last == null || last.result.isDone()) {
			joined = begin.get();
		}
		else if (last.scope.covers(scope)) {
			joined = last;
		}
		else {
			CompletableFuture<@Nullable Void> ended = last.result.handle((reached, failure) -> null);
			joined = new Look(scope, ended.thenCompose((none) -> begin.get().result), last.walk);
		}
		this.look = joined;
		return joined;
	}

	void failed(long beganNanos, RuntimeException reason) {
		this.failure = new Failure(beganNanos, reason);
	}

	/**
	 * Tells why no look may be begun now.
	 * @param pause how long after the beginning of a look that failed the next one may
	 * begin
	 * @return what it failed with, or {@code null}
	 */
	@Nullable RuntimeException failureWithin(Duration pause) {
		Failure last = this.failure;
		return (last != null && this.time.nanoTime() - last.beganNanos < pause.toNanos()) ? last.reason : null;
	}

	/**
	 * Remembers a collection that may not be read.
	 * @return whether that is news
	 */
	boolean unauthorized(String collection) {
		return this.unauthorized.add(collection);
	}

	private record Failure(long beganNanos, RuntimeException reason) {
	}

	/**
	 * A look at the highest stored number, and the raise that follows it.
	 *
	 * @param scope what is looked at
	 * @param result ends with what the counter has at least reached
	 * @param walk how far the walk over the texts has come
	 */
	record Look(StoredIdScope scope, CompletableFuture<Long> result, TextWalk walk) {
	}

}
