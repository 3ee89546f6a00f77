package io.github.hilo.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.hilo.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * What a step leads to: collected by the {@link SequenceState}, and performed by its
 * {@link RangeSequence} once the lock is free, because callers' own code may run then.
 */
final class Effects {

	private final SequenceView sequence;

	private final List<EngineEvent> events = new ArrayList<>(1);

	private final List<Operation<?>> started = new ArrayList<>(1);

	private final List<Waiter> served = new ArrayList<>();

	private final List<Runnable> answers = new ArrayList<>();

	/**
	 * Begins to collect.
	 * @param sequence what events are about
	 */
	Effects(SequenceView sequence) {
		this.sequence = sequence;
	}

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
	 * @param failure why numbers could not be returned, or {@code null}
	 */
	void end(CompletableFuture<@Nullable RuntimeException> release, @Nullable RuntimeException failure) {
		this.answers.add(() -> release.complete(failure));
	}

	/**
	 * Lets an operation be sent, if there is one.
	 */
	void start(@Nullable Operation<?> operation) {
		if (operation != null) {
			this.started.add(operation);
		}
	}

	void reservationEnded(Operation.Reservation reservation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure, Duration time) {
		this.events.add(new EngineEvent.ReservationEnded(this.sequence, reservation.token(), range, failure, time));
	}

	void returnEnded(Operation.Return ended, boolean returned, @Nullable RuntimeException failure, Duration time,
			boolean stopping) {
		this.events.add(new EngineEvent.ReturnEnded(this.sequence, ended.unused(), returned, failure, time, stopping));
	}

	void raiseEnded(Operation.Raise raise, @Nullable Long max, Duration time) {
		this.events.add(new EngineEvent.RaiseEnded(this.sequence, raise.floor(), max, time));
	}

	/**
	 * What listeners are to be told.
	 */
	List<EngineEvent> events() {
		return this.events;
	}

	/**
	 * The operations to send: one at most, and a check of the counter.
	 */
	List<Operation<?>> started() {
		return this.started;
	}

	/**
	 * The callers that have an outcome.
	 */
	List<Waiter> served() {
		return this.served;
	}

	/**
	 * Ends the releases and the raises.
	 */
	void answer() {
		this.answers.forEach(Runnable::run);
	}

}
