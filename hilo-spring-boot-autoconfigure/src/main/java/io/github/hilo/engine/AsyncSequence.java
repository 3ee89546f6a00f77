package io.github.hilo.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.RangeStore;

/**
 * One sequence, for callers whose thread must never wait, such as an event loop.
 * Internal: the seam between the engine and reactive callers.
 * <p>
 * How the caller's thread stays free: a number that is there is taken from the cursor,
 * without a lock. Everything else, be it to queue for a range, to leave the queue or to
 * receive a range from a store, needs the lock of the {@link RangeSequence} and happens
 * on threads of the stores' own. So no event loop ever meets that lock. What a call had
 * to wait for is completed by the executor that {@link #answeringOn} names, and otherwise
 * on a thread that serves every sequence, where no code may run that is not ours.
 * <p>
 * A number that was set aside before the sequence forgot everything is not used after it.
 * That is looked at on the thread that completes the call: it may have been handed over
 * meanwhile.
 * <p>
 * A call whose future is cancelled leaves the queue, like one whose patience has ended.
 * If the sequence was quicker, its number becomes a gap.
 * <p>
 * Thread-safe.
 */
public final class AsyncSequence {

	private final RangeSequence sequence;

	private final RangeStore store;

	private final Executor executor;

	private final HiLoSettings settings;

	private final Executor answers;

	AsyncSequence(RangeSequence sequence, RangeStore store, Executor executor, HiLoSettings settings) {
		this(sequence, store, executor, settings, Runnable::run);
	}

	private AsyncSequence(RangeSequence sequence, RangeStore store, Executor executor, HiLoSettings settings,
			Executor answers) {
		this.sequence = sequence;
		this.store = store;
		this.executor = executor;
		this.settings = settings;
		this.answers = answers;
	}

	/**
	 * Returns the same sequence for a caller whose code needs threads of its own.
	 * @param answers completes the calls that had to wait; must not reject them
	 * @return the sequence
	 */
	public AsyncSequence answeringOn(Executor answers) {
		return new AsyncSequence(this.sequence, this.store, this.executor, this.settings, answers);
	}

	/**
	 * Issues the next number.
	 * @return the number, or what {@link HiLoIdGenerator} throws; completed already where
	 * there was a number
	 */
	public CompletableFuture<Long> nextId() {
		return issue(IssuedNumber::number);
	}

	/**
	 * Issues the next document id.
	 * @return the id, or what {@link HiLoIdGenerator} throws; completed already where
	 * there was a number
	 */
	public CompletableFuture<String> nextDocumentId() {
		return issue(IssuedNumber::documentId);
	}

	private <T> CompletableFuture<T> issue(Function<IssuedNumber, T> form) {
		RangeCursor cursor = this.sequence.current();
		long number = cursor.take();
		if (number != RangeCursor.NONE) {
			return CompletableFuture.completedFuture(form.apply(new IssuedNumber(number, cursor)));
		}
		CompletableFuture<T> call = new CompletableFuture<>();
		this.executor.execute(() -> {
			limit(call);
			queue(call, form);
		});
		return call;
	}

	/**
	 * Lets a call fail once it has waited as long as it may.
	 */
	private void limit(CompletableFuture<?> call) {
		CompletableFuture<Boolean> patience = new CompletableFuture<Boolean>().completeOnTimeout(true,
				this.settings.timeout().toNanos(), TimeUnit.NANOSECONDS);
		CompletableFuture<?> unused = patience.thenAccept((ended) -> {
			if (ended) {
				this.answers.execute(() -> call.completeExceptionally(this.sequence
					.unavailable("no answer from MongoDB within " + this.settings.timeout(), new TimeoutException())));
			}
		});
		// Not on the thread that cancels the call: the timers have a lock, too.
		unused = call.whenCompleteAsync((id, failure) -> patience.complete(false), this.executor);
	}

	private <T> void queue(CompletableFuture<T> call, Function<IssuedNumber, T> form) {
		if (call.isDone()) {
			return;
		}
		Waiter waiter;
		try {
			waiter = this.sequence.ask(this.store, new Waiter(true));
		}
		catch (Throwable ex) {
			this.answers.execute(() -> call.completeExceptionally(ex));
			return;
		}
		CompletableFuture<?> unused = call.whenComplete((id, failure) -> {
			if (waiter.settle()) {
				this.executor.execute(() -> this.sequence.leave(waiter));
			}
		});
		unused = waiter.answer().whenCompleteAsync((issued, failure) -> {
			if (issued == null) {
				call.completeExceptionally(ReservationFailure.copyOf(failure));
			}
			else if (this.sequence.isStillValid(waiter)) {
				call.complete(form.apply(issued));
			}
			else {
				this.executor.execute(() -> queue(call, form));
			}
		}, this.answers).toCompletableFuture();
	}

}
