package io.github.hilo.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.hilo.store.RangeReturn;
import org.jspecify.annotations.Nullable;

/**
 * What an event leads to: collected by the {@link SequenceState}, and performed by its
 * {@link RangeSequence} once the lock is free, because callers' own code may run then.
 */
final class Effects {

	private final List<Waiter> served = new ArrayList<>();

	private final List<Runnable> answers = new ArrayList<>();

	private final List<Operation<?>> started = new ArrayList<>(1);

	private @Nullable Loss lost;

	private int resets;

	/**
	 * Hands a caller what it waited for. Only for one that was settled.
	 * @param issued the number, or {@code null} if none was asked for, or the caller's
	 * block has them
	 */
	void serve(Waiter waiter, @Nullable IssuedNumber issued) {
		this.served.add(waiter.outcome(issued, null));
	}

	/**
	 * Lets a caller fail. Only for one that was settled.
	 */
	void refuse(Waiter waiter, RuntimeException failure) {
		this.served.add(waiter.outcome(null, failure));
	}

	/**
	 * Ends a raise of the counter.
	 * @param max the counter's value, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 */
	void end(Operation.Raise raise, @Nullable Long max, @Nullable RuntimeException failure) {
		this.answers.add(() -> {
			if (max != null) {
				raise.answer().complete(max);
			}
			else {
				raise.answer().completeExceptionally(Objects.requireNonNull(failure));
			}
		});
	}

	/**
	 * Ends a release.
	 */
	void end(CompletableFuture<@Nullable Void> release) {
		this.answers.add(() -> release.complete(null));
	}

	/**
	 * Lets an operation be sent, if there is one.
	 */
	void start(@Nullable Operation<?> operation) {
		if (operation != null) {
			this.started.add(operation);
		}
	}

	/**
	 * The operations to send: one at most, and a check of the counter.
	 */
	List<Operation<?>> started() {
		return this.started;
	}

	/**
	 * Reports that a return has failed for good.
	 * @param why the reason
	 */
	void lose(RangeReturn numbers, String why) {
		this.lost = new Loss(numbers, why);
	}

	/**
	 * The numbers that could not be returned, if any.
	 */
	@Nullable Loss lost() {
		return this.lost;
	}

	/**
	 * Sets how often the sequence had been reset when the event happened.
	 */
	void resets(int resets) {
		this.resets = resets;
	}

	/**
	 * Tells everybody who waited.
	 * @param before is told of each caller first
	 */
	void complete(Consumer<Waiter> before) {
		for (Waiter waiter : this.served) {
			try {
				before.accept(waiter);
			}
			finally {
				waiter.complete(this.resets);
			}
		}
		this.answers.forEach(Runnable::run);
	}

	/**
	 * Numbers that could not be returned.
	 *
	 * @param numbers the numbers
	 * @param why why the last attempt failed
	 */
	record Loss(RangeReturn numbers, String why) {
	}

}
