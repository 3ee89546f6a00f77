package io.github.hilo.internal.sequence;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.TimeSource;

/**
 * Sends the operations of a sequence to its store, and passes each answer to the
 * sequence, or each failure as one of the library's exceptions. Thread-safe: all fields
 * are final.
 */
final class OperationSender {

	private final RangeSequence sequence;

	private final TimeSource time;

	private final Consumer<SequenceEvent> events;

	OperationSender(RangeSequence sequence, TimeSource time, Consumer<SequenceEvent> events) {
		this.sequence = sequence;
		this.time = time;
		this.events = events;
	}

	void send(Operation operation) {
		RangeStore store = operation.store();
		if (operation instanceof Operation.Reservation reservation) {
			reserve(reservation, store);
		}
		else if (operation instanceof Operation.Return returning) {
			returnUnused(returning, store);
		}
		else {
			find((Operation.Find) operation, store);
		}
	}

	/**
	 * Sends a reservation, unless its time is over. This thread may have stood still
	 * since the step decided on the reservation, and another thread may even have
	 * published its end before this one publishes its start. Then a second end takes the
	 * start back.
	 */
	private void reserve(Operation.Reservation reservation, RangeStore store) {
		this.events.accept(new SequenceEvent.ReservationStarted(this.sequence, reservation.request()));
		if (reservation.request().deadline().isOver()) {
			this.sequence.reserved(reservation, null,
					this.sequence.noRange("no time was left to send the command", new TimeoutException()));
		}
		if (!this.sequence.isInFlight(reservation)) {
			this.events.accept(new SequenceEvent.ReservationEnded(this.sequence, reservation.request(), null, null,
					Duration.ZERO));
			return;
		}
		CompletionStage<?> unused = answerOf(
				() -> store.reserve(this.sequence.name(), reservation.request(), this::repaired))
			.whenComplete((range, failure) -> this.sequence.reserved(reservation, range,
					(range != null) ? null : ReservationFailure.of(failure, this.sequence::noRange)));
	}

	private void returnUnused(Operation.Return operation, RangeStore store) {
		CompletionStage<?> unused = answerOf(() -> store.returnUnused(this.sequence.name(), operation.numbers()))
			.whenComplete((returned, failure) -> this.sequence.returned(operation, returned,
					(returned != null) ? null : ReservationFailure.of(failure, this.sequence::notReturned)));
	}

	/**
	 * Raises the counter.
	 * @return a copy, so that the sequence still gets the answer if the caller gives up
	 * and completes the future
	 */
	CompletableFuture<Long> raise(RangeStore store, long floor, Duration timeout) {
		long begunNanos = this.time.nanoTime();
		return answerOf(() -> store.raise(this.sequence.name(), floor, timeout)).handle((max, failure) -> {
			if (max != null) {
				this.sequence.raised(floor);
			}
			this.events.accept(new SequenceEvent.RaiseEnded(this.sequence, floor, max,
					Duration.ofNanos(this.time.nanoTime() - begunNanos)));
			if (max == null) {
				throw ReservationFailure.of(failure, (why, cause) -> this.sequence.notRaised(floor, why, cause));
			}
			return max;
		}).toCompletableFuture().copy();
	}

	private void find(Operation.Find find, RangeStore store) {
		CompletionStage<?> unused = answerOf(() -> find.ahead().isNone() ? highest(find, store) : ahead(find, store))
			.whenComplete((found, failure) -> this.sequence.found(find, found,
					(found != null) ? null : ReservationFailure.of(failure, this.sequence::noRange)));
	}

	private CompletionStage<Operation.Found> highest(Operation.Find find, RangeStore store) {
		return store.stored(this.sequence.name(), find.place(), find.numbers(), find.deadline())
			.thenApply((highest) -> new Operation.Found(highest, 0));
	}

	/**
	 * Asks for the lowest stored number from the range on, and for the highest one of the
	 * range only if the lowest lies inside. What was met counts, even if its document is
	 * gone by now.
	 */
	private CompletionStage<Operation.Found> ahead(Operation.Find find, RangeStore store) {
		return store.lowestStored(this.sequence.name(), find.place(), find.numbersAhead(), find.deadline())
			.thenCompose((lowest) -> (lowest > 0 && lowest <= find.numbers().max())
					? highest(find, store).thenApply((met) -> new Operation.Found(Math.max(lowest, met.highest()), 0))
					: CompletableFuture
						.completedFuture(new Operation.Found(0, (lowest > 0) ? lowest - 1 : find.ahead().upTo())));
	}

	private static <T> CompletionStage<T> answerOf(Supplier<CompletionStage<T>> request) {
		try {
			return Objects.requireNonNull(request.get(), "The store answered null");
		}
		// The sequence must also learn of an error, for example if no thread could be
		// created.
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void repaired(CounterRepair repair) {
		this.events.accept(new SequenceEvent.CounterRepaired(this.sequence, repair));
	}

}
