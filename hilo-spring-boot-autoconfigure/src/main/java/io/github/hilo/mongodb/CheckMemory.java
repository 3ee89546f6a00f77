package io.github.hilo.mongodb;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.TimeSource;
import io.github.hilo.store.Timeouts;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of its checks of the stored ids of one sequence of one
 * database.
 * <p>
 * Thread-safe: the scan that is under way is guarded by this object, the set is
 * concurrent, and the rest is published by single volatile writes.
 */
final class CheckMemory {

	/**
	 * The switch of the checks.
	 */
	static final String SWITCH = "hilo.check-stored-ids";

	private final TimeSource time;

	private final Duration timeout;

	private final Set<Object> told = ConcurrentHashMap.newKeySet();

	private volatile int placesOfTexts;

	private volatile @Nullable Failure failure;

	private @Nullable Start start;

	/**
	 * Creates a memory.
	 * @param timeout how long after its beginning a check that failed for a lasting
	 * reason is not repeated
	 */
	CheckMemory(Duration timeout, TimeSource time) {
		this.timeout = timeout;
		this.time = time;
	}

	/**
	 * Whether the texts of so many places were checked for a range of this process.
	 */
	boolean areTextsChecked(int places) {
		return this.placesOfTexts >= places;
	}

	void textsChecked(int places) {
		this.placesOfTexts = places;
	}

	/**
	 * Joins the check that is under way where the counter starts, or begins one. One that
	 * covers fewer places is waited for first: one sequence has one at a time, unless
	 * nothing has come of it for too long.
	 */
	synchronized Start joinOrBegin(int places, Supplier<Start> begin) {
		Start last = this.start;
		Start joined;
		if (last == null || last.result.isDone() || last.scan.isLost()) {
			joined = begin.get();
		}
		else if (last.places >= places) {
			joined = last;
		}
		else {
			CompletableFuture<@Nullable Void> ended = last.result.handle((reached, failure) -> null);
			joined = new Start(places, ended.thenCompose((none) -> begin.get().result), last.scan);
		}
		this.start = joined;
		return joined;
	}

	/**
	 * Refuses a check where one failed a moment ago for a reason that lasts.
	 * @throws HiLoUnavailableException if one did
	 */
	void requireReady() {
		Failure last = this.failure;
		if (last != null && nanoTime() - last.beganNanos < this.timeout.toNanos()) {
			throw last.reason;
		}
	}

	long nanoTime() {
		return this.time.nanoTime();
	}

	/**
	 * Describes why a check failed, and remembers that if the reason lasts.
	 * @param whatToDo the end of the message
	 */
	<T> CompletionStage<T> described(CompletionStage<T> check, String whatToDo) {
		return check.exceptionallyCompose((failure) -> CompletableFuture
			.failedFuture((Failures.causeOf(failure) instanceof StoredIdReader.UnreadableException unreadable)
					? describe(unreadable, whatToDo) : failure));
	}

	private HiLoUnavailableException describe(StoredIdReader.UnreadableException failure, String whatToDo) {
		HiLoUnavailableException reason = new HiLoUnavailableException(
				"the ids that are stored already could not be read from " + failure.getMessage()
						+ ". Without that a stored document could be overwritten. " + (failure.lasts()
								? "It is tried again " + Timeouts.named(this.timeout) + " after it began. " : "")
						+ whatToDo,
				failure);
		if (failure.lasts()) {
			this.failure = new Failure(failure.beganNanos(), reason);
		}
		return reason;
	}

	/**
	 * Remembers what is told once: a collection that may not be read, or a place that is
	 * checked.
	 * @return whether that is news
	 */
	boolean isNew(Object told) {
		return this.told.add(told);
	}

	private record Failure(long beganNanos, RuntimeException reason) {
	}

	/**
	 * A check where the counter starts, and the raise that follows it.
	 *
	 * @param places how many places it covers
	 * @param result ends with what the counter has at least reached
	 * @param scan tells how far the scan of the texts has come
	 */
	record Start(int places, CompletableFuture<Long> result, TextScan scan) {
	}

}
