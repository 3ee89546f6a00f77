package io.github.hilo.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoSequence;
import io.github.hilo.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * One sequence, for callers whose thread must never wait, such as an event loop.
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
 * <p>
 * Thread-safe: its fields never change, and what they refer to is thread-safe.
 *
 * @hidden
 */
public final class AsyncSequence {

	private final RangeSequence sequence;

	private final Executor executor;

	private final Duration timeout;

	private final Executor answers;

	AsyncSequence(RangeSequence sequence, Executor executor, Duration timeout) {
		this(sequence, executor, timeout, Runnable::run);
	}

	private AsyncSequence(RangeSequence sequence, Executor executor, Duration timeout, Executor answers) {
		this.sequence = sequence;
		this.executor = executor;
		this.timeout = timeout;
		this.answers = answers;
	}

	/**
	 * Returns the same sequence for a caller whose code needs threads of its own.
	 * @param answers completes the calls that had to wait; must not reject them
	 * @return the sequence
	 */
	public AsyncSequence answeringOn(Executor answers) {
		return new AsyncSequence(this.sequence, this.executor, this.timeout, answers);
	}

	/**
	 * Returns the name of the sequence.
	 * @return the exact name of the counter
	 */
	public String name() {
		return this.sequence.name();
	}

	/**
	 * Confirms ids that were issued.
	 * @param place where they go
	 * @param issued a number, a document id or a block of them
	 * @return whether they are free; {@link FreeIds#FREE} where that is known
	 */
	public CompletionStage<Boolean> confirm(Place place, Object issued) {
		PlacedSequence placed = PlacedSequence.of(this.sequence, place);
		return placed.isFree(issued) ? FreeIds.FREE
				: CompletableFuture.supplyAsync(() -> placed.confirm(issued), this.executor)
					.thenCompose((confirmed) -> confirmed);
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

	private <T> CompletableFuture<T> issue(Function<IssuedNumber, T> form) {
		RangeCursor cursor = this.sequence.current();
		long number = cursor.take();
		if (number != RangeCursor.NONE) {
			return CompletableFuture.completedFuture(form.apply(new IssuedNumber(number, cursor)));
		}
		return queued(() -> new Waiter(true), (waiter, issued) -> form.apply(Objects.requireNonNull(issued)));
	}

	private <T> CompletableFuture<T> issue(int count, Function<NumberBlock, T> form) {
		NumberBlock block = new NumberBlock(Arguments.requireCount(count));
		if (block.takeAllFrom(this.sequence.current())) {
			return CompletableFuture.completedFuture(form.apply(block));
		}
		return queued(() -> new Waiter(new NumberBlock(count)),
				(waiter, none) -> form.apply(Objects.requireNonNull(waiter.block())));
	}

	private <T> CompletableFuture<T> queued(Supplier<Waiter> waiters,
			BiFunction<Waiter, @Nullable IssuedNumber, T> form) {
		return call((why) -> this.sequence.unavailable(why, new TimeoutException()),
				(call) -> queue(call, waiters, form));
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
		this.executor.execute(() -> begin(call, begin));
		return call;
	}

	private <T> void begin(CompletableFuture<T> call, Consumer<CompletableFuture<T>> begin) {
		if (call.isDone()) {
			return;
		}
		try {
			begin.accept(call);
		}
		catch (Throwable ex) {
			this.answers.execute(() -> call.completeExceptionally(ex));
		}
	}

	/**
	 * Lets a call fail once it has waited as long as it may. The timer belongs to the JDK
	 * and is armed here, so that it rings even if all our threads wait for somebody.
	 */
	private void limit(CompletableFuture<?> call, Function<String, RuntimeException> late) {
		CompletableFuture<Boolean> patience = new CompletableFuture<Boolean>().completeOnTimeout(true,
				this.timeout.toNanos(), TimeUnit.NANOSECONDS);
		CompletableFuture<?> unused = patience.thenAccept((ended) -> {
			if (ended) {
				this.answers.execute(
						() -> call.completeExceptionally(late.apply(ReservationFailure.noAnswerWithin(this.timeout))));
			}
		});
		// Not on the thread that cancels the call: the timers have a lock, too.
		unused = call.whenCompleteAsync((id, failure) -> patience.complete(false), this.executor);
	}

	private <T> void queue(CompletableFuture<T> call, Supplier<Waiter> waiters,
			BiFunction<Waiter, @Nullable IssuedNumber, T> form) {
		Waiter waiter = this.sequence.ask(waiters.get());
		CompletableFuture<?> unused = call.whenComplete((id, failure) -> {
			if (waiter.settle()) {
				this.executor.execute(() -> this.sequence.leave(waiter));
			}
		});
		unused = waiter.answer().whenCompleteAsync((issued, failure) -> {
			if (failure != null) {
				call.completeExceptionally(ReservationFailure.copyOf(failure));
			}
			else if (this.sequence.isStillValid(waiter)) {
				call.complete(form.apply(waiter, issued));
			}
			else {
				this.executor.execute(() -> begin(call, (again) -> queue(again, waiters, form)));
			}
		}, this.answers);
	}

	private void raise(CompletableFuture<Long> call, long floor) {
		CompletableFuture<Long> raise = this.sequence.raise(floor);
		// Where it has not begun, it need not be carried out.
		CompletableFuture<?> unused = call.whenComplete((max, failure) -> raise.cancel(false));
		unused = raise.whenCompleteAsync((max, failure) -> {
			if (failure != null) {
				call.completeExceptionally(ReservationFailure.copyOf(failure));
			}
			else {
				call.complete(max);
			}
		}, this.answers);
	}

}
