package io.github.hilo.internal.sequence;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.hilo.Arguments;
import io.github.hilo.internal.store.Deadline;

/**
 * One sequence, for callers whose thread must never wait, such as an event loop. Reactive
 * callers use the engine through this class.
 * <p>
 * How the caller's thread stays free: if the cursor has enough numbers, a call takes a
 * number or a whole block from it without a lock. Everything else needs the lock of the
 * {@link RangeSequence} and runs on the stores' own threads: to queue for a range, to
 * leave the queue, to raise the counter, and to receive a range from a store. An event
 * loop itself takes that lock only when it stores a document with an id that the
 * application has chosen, and only for an instant. A call that had to wait is completed
 * by an executor of the caller, because the thread that serves every waiter must not run
 * code of applications.
 * <p>
 * A call whose future is cancelled, for example because its time is over, leaves the
 * queue. If the sequence served the call before that, the number becomes a gap.
 * <p>
 * Thread-safe: all fields are final, and each call has its own future and {@link Waiter}.
 */
public final class AsyncSequence {

	private final PlacedSequence placed;

	private final RangeSequence sequence;

	private final Executor executor;

	private final Deadline deadline;

	private final Executor completions;

	/**
	 * @param executor runs what needs the lock
	 * @param completions completes the calls that had to wait
	 */
	public AsyncSequence(PlacedSequence placed, Executor executor, Deadline deadline, Executor completions) {
		this.placed = placed;
		this.sequence = placed.sequence();
		this.executor = executor;
		this.deadline = deadline;
		this.completions = completions;
	}

	public CompletableFuture<Long> nextId() {
		long number = this.placed.cursor(false).take();
		return (number != RangeCursor.NONE) ? CompletableFuture.completedFuture(number)
				: take(1, false, NumberBlock::first);
	}

	public CompletableFuture<String> nextDocumentId() {
		RangeCursor cursor = this.placed.cursor(true);
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? CompletableFuture.completedFuture(cursor.documentId(number))
				: take(1, true, NumberBlock::firstDocumentId);
	}

	public CompletableFuture<long[]> nextIds(int count) {
		return issue(count, false, NumberBlock::numbers);
	}

	public CompletableFuture<List<String>> nextDocumentIds(int count) {
		return issue(count, true, NumberBlock::documentIds);
	}

	/**
	 * Raises the counter. A call that is cancelled or fails before the raise is sent
	 * raises nothing.
	 */
	public CompletableFuture<Long> ensureAtLeast(long floor) {
		Arguments.requireFloor(floor);
		this.deadline.waitFor(Deadline.Phase.RAISE);
		return call((call) -> answer(this.sequence.raise(floor), call, Function.<Long>identity()));
	}

	private <T> CompletableFuture<T> issue(int count, boolean text, Function<NumberBlock, T> form) {
		NumberBlock block = new NumberBlock(Arguments.requireCount(count));
		return block.takeAllFrom(this.placed.cursor(text)) ? CompletableFuture.completedFuture(form.apply(block))
				: take(count, text, form);
	}

	private <T> CompletableFuture<T> take(int count, boolean text, Function<NumberBlock, T> form) {
		return call((call) -> {
			CompletableFuture<NumberBlock> result = new CompletableFuture<>();
			Waiter waiter = this.sequence.take(count, this.placed.placeOf(text), this.deadline, result, this.executor);
			CompletableFuture<?> unused = call.whenComplete((numbers, failure) -> {
				result.completeExceptionally(new CancellationException());
				this.executor.execute(() -> this.sequence.ended(waiter, this.deadline));
			});
			answer(result, call, form);
		});
	}

	private <V, T> void answer(CompletableFuture<V> from, CompletableFuture<T> call, Function<V, T> form) {
		CompletableFuture<?> unused = from.whenCompleteAsync((value, failure) -> {
			if (failure != null) {
				call.completeExceptionally(ReservationFailure.copyOf(failure));
			}
			else {
				call.complete(form.apply(value));
			}
		}, this.completions);
	}

	private <T> CompletableFuture<T> call(Consumer<CompletableFuture<T>> begin) {
		CompletableFuture<T> call = new CompletableFuture<>();
		this.executor.execute(() -> begin(call, this.completions, begin));
		return call;
	}

	private static <T> void begin(CompletableFuture<T> call, Executor completions,
			Consumer<CompletableFuture<T>> begin) {
		if (call.isDone()) {
			return;
		}
		try {
			begin.accept(call);
		}
		catch (Throwable ex) {
			completions.execute(() -> call.completeExceptionally(ex));
		}
	}

}
