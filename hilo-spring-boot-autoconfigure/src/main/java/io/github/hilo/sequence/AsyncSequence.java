package io.github.hilo.sequence;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.store.Deadline;

/**
 * One sequence, for a caller whose thread must never wait, such as an event loop.
 * Internal: the seam between the engine and reactive callers.
 * <p>
 * How the caller's thread stays free: a number that is there is taken from the cursor,
 * without a lock, and so is a block if the cursor has all of it. Everything else, be it
 * to queue for a range, to leave the queue, to raise the counter or to receive a range
 * from a store, needs the lock of the {@link RangeSequence} and happens on threads of the
 * stores' own. So no event loop ever meets that lock. What a call had to wait for is
 * completed by the executor that {@link #answeringOn} names, and otherwise on a thread
 * that serves every sequence, where no code may run that is not ours.
 * <p>
 * A number that was set aside before the sequence forgot everything is not used after it.
 * That is looked at on the thread that completes the call: it may have been handed over
 * meanwhile.
 * <p>
 * A call whose future is cancelled leaves the queue, like one whose patience has ended.
 * If the sequence was quicker, its number becomes a gap.
 *
 * @hidden
 */
public final class AsyncSequence {

	private final RangeSequence sequence;

	private final Executor executor;

	private final Deadline deadline;

	private final Executor answers;

	/**
	 * Creates a view of a sequence.
	 * @param sequence the sequence
	 * @param executor runs what needs the lock
	 * @param deadline by when its calls must have ended
	 */
	public AsyncSequence(RangeSequence sequence, Executor executor, Deadline deadline) {
		this(sequence, executor, deadline, Runnable::run);
	}

	private AsyncSequence(RangeSequence sequence, Executor executor, Deadline deadline, Executor answers) {
		this.sequence = sequence;
		this.executor = executor;
		this.deadline = deadline;
		this.answers = answers;
	}

	/**
	 * Returns the same sequence for a caller whose code needs threads of its own.
	 * @param answers completes the calls that had to wait; must not reject them
	 * @return the sequence
	 */
	public AsyncSequence answeringOn(Executor answers) {
		return new AsyncSequence(this.sequence, this.executor, this.deadline, answers);
	}

	/**
	 * Returns the name of the sequence.
	 * @return the exact name of the counter
	 */
	public String name() {
		return this.sequence.name();
	}

	/**
	 * Issues the next number.
	 * @return the number, or what {@link HiLoIdGenerator} throws; completed already where
	 * there was a number
	 */
	public CompletableFuture<Long> nextId() {
		long number = this.sequence.current().take();
		return (number != RangeCursor.NONE) ? CompletableFuture.completedFuture(number) : queued(1, NumberBlock::first);
	}

	/**
	 * Issues the next document id.
	 * @return the id, or what {@link HiLoIdGenerator} throws; completed already where
	 * there was a number
	 */
	public CompletableFuture<String> nextDocumentId() {
		RangeCursor cursor = this.sequence.current();
		long number = cursor.take();
		return (number != RangeCursor.NONE) ? CompletableFuture.completedFuture(cursor.documentId(number))
				: queued(1, NumberBlock::firstDocumentId);
	}

	/**
	 * Issues a block of numbers at once.
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the numbers in ascending order, or what {@link HiLoIdGenerator} throws;
	 * completed already where there were enough
	 * @throws IllegalArgumentException if the count is out of bounds
	 */
	public CompletableFuture<long[]> nextIds(int count) {
		return issue(count, NumberBlock::numbers);
	}

	/**
	 * Issues a block of document ids at once.
	 * @param count how many, from 1 to {@link HiLoSequence#MAX_COUNT}
	 * @return the ids by ascending number, or what {@link HiLoIdGenerator} throws;
	 * completed already where there were enough
	 * @throws IllegalArgumentException if the count is out of bounds
	 */
	public CompletableFuture<List<String>> nextDocumentIds(int count) {
		return issue(count, NumberBlock::documentIds);
	}

	/**
	 * Raises the counter. A call that is cancelled or fails before the raise is sent
	 * raises nothing.
	 * @param floor the highest number in use, from 1 to {@link HiLoIdGenerator#MAX_FLOOR}
	 * @return where the counter stands, or what {@link HiLoIdGenerator#ensureAtLeast}
	 * throws
	 * @throws IllegalArgumentException if the floor is out of bounds
	 */
	public CompletableFuture<Long> ensureAtLeast(long floor) {
		Arguments.requireFloor(floor);
		return call((why) -> ReservationFailure.notRaised(this.sequence, floor, why, null),
				(call) -> raise(call, floor));
	}

	private <T> CompletableFuture<T> issue(int count, Function<NumberBlock, T> form) {
		NumberBlock block = new NumberBlock(Arguments.requireCount(count));
		return block.takeAllFrom(this.sequence.current()) ? CompletableFuture.completedFuture(form.apply(block))
				: queued(count, form);
	}

	private <T> CompletableFuture<T> queued(int count, Function<NumberBlock, T> form) {
		return call((why) -> ReservationFailure.noRange(this.sequence, why, new TimeoutException()),
				(call) -> queue(this.sequence, count, call, (waiter) -> form.apply(waiter.block()), this.answers,
						this.executor));
	}

	/**
	 * Makes a call that may have to wait.
	 * @param late what it fails with once it has waited as long as it may
	 * @param begin begins it, on a thread that may wait for a lock
	 */
	private <T> CompletableFuture<T> call(Function<String, RuntimeException> late,
			Consumer<CompletableFuture<T>> begin) {
		StackReserve.require();
		CompletableFuture<T> call = new CompletableFuture<>();
		limit(call, late);
		this.executor.execute(() -> begin(call, this.answers, begin));
		return call;
	}

	private static <T> void begin(CompletableFuture<T> call, Executor answers, Consumer<CompletableFuture<T>> begin) {
		if (call.isDone()) {
			return;
		}
		try {
			begin.accept(call);
		}
		catch (Throwable ex) {
			answers.execute(() -> call.completeExceptionally(ex));
		}
	}

	/**
	 * Lets a call fail once it has waited as long as it may. The timer belongs to the JDK
	 * and is armed here, so that it rings even if all our threads wait for somebody.
	 */
	private void limit(CompletableFuture<?> call, Function<String, RuntimeException> late) {
		CompletableFuture<Boolean> patience = new CompletableFuture<Boolean>().completeOnTimeout(true,
				this.deadline.left().toNanos(), TimeUnit.NANOSECONDS);
		CompletableFuture<?> unused = patience.thenAccept((ended) -> {
			if (ended) {
				this.answers.execute(() -> call
					.completeExceptionally(late.apply(ReservationFailure.noAnswerWithin(this.sequence.timeout()))));
			}
		});
		// Not on the thread that cancels the call: the timers have a lock, too.
		unused = call.whenCompleteAsync((id, failure) -> patience.complete(false), this.executor);
	}

	/**
	 * Lets a call wait for its numbers. Where the call ends otherwise, its caller leaves
	 * the queue.
	 * @param form what the call gets of its waiter
	 * @param answers completes the call
	 * @param lockers run what needs the lock
	 */
	static <T> void queue(RangeSequence sequence, int count, CompletableFuture<T> call, Function<Waiter, T> form,
			Executor answers, Executor lockers) {
		Waiter waiter = sequence.ask(new Waiter(count));
		CompletableFuture<?> unused = call.whenComplete((numbers, failure) -> {
			if (waiter.settle()) {
				lockers.execute(() -> sequence.leave(waiter));
			}
		});
		unused = waiter.answer().whenCompleteAsync((served, failure) -> {
			if (failure != null) {
				call.completeExceptionally(ReservationFailure.copyOf(failure));
			}
			else if (sequence.isStillValid(waiter)) {
				call.complete(form.apply(waiter));
			}
			else {
				// Somebody else may have the numbers, too: this process may be a copy.
				lockers.execute(
						() -> begin(call, answers, (again) -> queue(sequence, count, again, form, answers, lockers)));
			}
		}, answers);
	}

	private void raise(CompletableFuture<Long> call, long floor) {
		CompletableFuture<?> unused = this.sequence.raise(floor).whenCompleteAsync((max, failure) -> {
			if (failure != null) {
				call.completeExceptionally(ReservationFailure.copyOf(failure));
			}
			else {
				call.complete(max);
			}
		}, this.answers);
	}

}
