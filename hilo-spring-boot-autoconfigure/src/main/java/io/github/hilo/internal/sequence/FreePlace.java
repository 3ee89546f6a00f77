package io.github.hilo.internal.sequence;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.StoredNumbers;
import org.jspecify.annotations.Nullable;

/**
 * From which number on a range is free in one place, and the numbers that the application
 * has set there itself, each of which must be asked for when it is reached.
 * <p>
 * Thread-safe: who uses a number takes no lock, and neither does who sets one. Answers
 * are applied under this object's lock, which is never held while anything is sent.
 */
final class FreePlace {

	/**
	 * That of no range.
	 */
	static final FreePlace NOWHERE = new FreePlace(null, true);

	private static final long NOT_KNOWN = Long.MAX_VALUE;

	/**
	 * Tells the range from every other.
	 */
	final @Nullable FreePlaces range;

	private final boolean checked;

	private volatile long from;

	private volatile boolean used;

	// The unissued numbers that the application has set, once there is one. Not asked
	// whether it is empty: while others add and remove, a concurrent set miscounts.
	private final AtomicReference<@Nullable Set<Long>> set = new AtomicReference<>();

	// The highest number that a document was found to have.
	private long highestStored;

	private @Nullable Find find;

	FreePlace(@Nullable FreePlaces range, boolean checked) {
		this.range = range;
		this.checked = checked;
		this.from = checked ? NOT_KNOWN : 0;
	}

	/**
	 * The number from which on the range was found free, or one beyond it.
	 */
	long from() {
		return this.from;
	}

	/**
	 * Whether a number is known to be free. Otherwise it must be confirmed.
	 */
	boolean isFree(long number) {
		return number >= this.from && (this.set.get() == null || !isSet(number, number));
	}

	boolean isFree(long first, long last) {
		return first >= this.from && !isSet(first, last);
	}

	private boolean isSet(long first, long last) {
		Set<Long> numbers = this.set.get();
		return numbers != null && ((first == last) ? numbers.contains(first)
				: numbers.stream().anyMatch((number) -> first <= number && number <= last));
	}

	FreePlace use() {
		if (!this.used) {
			this.used = true;
		}
		return this;
	}

	boolean isUsed() {
		return this.used;
	}

	/**
	 * The application stores a document of its own with a number that is not issued yet.
	 */
	void set(long number) {
		if (this.checked) {
			Set<Long> numbers = this.set.get();
			if (numbers == null) {
				numbers = ConcurrentHashMap.newKeySet();
				Set<Long> other = this.set.compareAndExchange(null, numbers);
				numbers = (other != null) ? other : numbers;
			}
			numbers.add(number);
		}
	}

	/**
	 * Joins the find that is under way, or begins one, to the end of the range. A number
	 * that the application has set since another find began has one of its own.
	 */
	CompletableFuture<StoredNumbers> confirm(long first, long last, Deadline deadline,
			Function<Deadline, CompletionStage<StoredNumbers>> ask) {
		CompletableFuture<StoredNumbers> answer = new CompletableFuture<>();
		synchronized (this) {
			Find known = this.find;
			boolean own = isSet(first, last);
			if (!own && known != null && known.first <= first && !known.answer.isDone() && !known.deadline.isOver()) {
				return known.answer.copy();
			}
			this.find = own ? known : new Find(first, deadline, answer);
		}
		CompletionStage<?> unused = ask.apply(deadline).whenComplete((stored, failure) -> {
			if (failure != null) {
				answer.completeExceptionally(failure);
			}
			else {
				answered(first, stored);
				answer.complete(stored);
			}
		});
		return answer.copy();
	}

	private synchronized void answered(long first, StoredNumbers stored) {
		this.highestStored = Math.max(this.highestStored, stored.highestOfRange());
		this.from = Math.max(this.highestStored + 1, Math.min(this.from, first));
		Set<Long> numbers = this.set.get();
		if (numbers != null) {
			numbers.removeIf((number) -> number <= Math.max(first, stored.highestOfRange()));
		}
	}

	synchronized void foundFree(long first) {
		this.from = Math.min(this.from, first);
	}

	/**
	 * A find that is under way.
	 *
	 * @param first the number that it asks from
	 */
	private record Find(long first, Deadline deadline, CompletableFuture<StoredNumbers> answer) {
	}

}
