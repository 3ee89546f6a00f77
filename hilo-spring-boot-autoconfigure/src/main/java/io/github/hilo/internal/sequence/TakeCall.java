package io.github.hilo.internal.sequence;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import org.jspecify.annotations.Nullable;

/**
 * A call for numbers that has to wait: until there are some, and until they are confirmed
 * where they go. Numbers that a document has there are never used, and others are taken.
 *
 * @param place where they go, or {@code null} if that is not known
 * @param deadline told what the call waits for
 * @param result ends with them; ended by its caller, the call is over
 * @param lockers run what needs the sequence's lock
 */
record TakeCall(RangeSequence sequence, int count, @Nullable Place place, Deadline deadline,
		CompletableFuture<NumberBlock> result, Executor lockers) {

	void begin(@Nullable NumberBlock taken) {
		if (taken != null) {
			confirm(taken, 1);
		}
		else {
			ask(1);
		}
	}

	private void ask(int attempt) {
		if (this.result.isDone()) {
			return;
		}
		long before = this.sequence.reservations();
		this.deadline.waitForRange(() -> this.sequence.reservations() - before);
		Waiter waiter = this.sequence.ask(new Waiter(this.count, this.place));
		CompletionStage<?> unused = this.result.whenComplete((block, failure) -> {
			if (waiter.settle()) {
				this.lockers.execute(() -> this.sequence.leave(waiter));
			}
		});
		unused = waiter.answer().whenComplete((served, failure) -> {
			if (failure != null) {
				this.result.completeExceptionally(failure);
			}
			else {
				orFail(() -> confirm(served.block(), attempt));
			}
		});
	}

	private void confirm(NumberBlock block, int attempt) {
		if (this.place == null || this.sequence.isFree(block, this.place)) {
			handOver(block);
			return;
		}
		this.deadline.waitFor(Deadline.Phase.CHECK);
		CompletionStage<?> unused = this.sequence.confirm(block, this.place).whenComplete((free, failure) -> {
			if (failure != null) {
				this.sequence.lost(block, "it could not be confirmed that they are free");
				this.result.completeExceptionally(failure);
			}
			else if (free) {
				handOver(block);
			}
			else if (attempt == ReservationFailure.MAX_ATTEMPTS) {
				this.result.completeExceptionally(ReservationFailure.noneFree(this.sequence.name()));
			}
			else {
				this.lockers.execute(() -> orFail(() -> ask(attempt + 1)));
			}
		});
	}

	private void handOver(NumberBlock block) {
		if (!this.result.complete(block)) {
			this.sequence.lost(block, "their caller has given up");
		}
	}

	/**
	 * Ends the call with whatever its next step throws.
	 */
	private void orFail(Runnable step) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
	}

}
