package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What a sequence sends to its store. At most one at a time is in flight that changes the
 * counter.
 *
 * @param <T> what the store answers
 */
sealed interface Operation<T> {

	/**
	 * Sends it.
	 * @param store the sequence's database
	 * @param sequence the sequence's name
	 * @return what ends with the answer
	 */
	CompletionStage<T> send(RangeStore store, String sequence);

	/**
	 * Announces that it is about to be sent.
	 * @param listener the sequence's listener
	 * @return what is told of the end
	 */
	default Consumer<@Nullable Throwable> announce(SequenceListener listener) {
		return (failure) -> {
		};
	}

	/**
	 * Tells that it has ended.
	 * @param listener the sequence's listener
	 * @param answer the answer, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 * @param time from the request to the answer
	 */
	default void report(SequenceListener listener, @Nullable T answer, @Nullable RuntimeException failure,
			Duration time) {
	}

	/**
	 * Makes one of our exceptions of what it failed with.
	 */
	default RuntimeException translate(String sequence, String database, @Nullable Throwable failure) {
		return ReservationFailure.of(sequence, database, failure);
	}

	/**
	 * Makes the failure of one that outlived its time.
	 */
	default RuntimeException late(String sequence, String database, Duration timeout) {
		return ReservationFailure.unavailable(sequence, database, ReservationFailure.noAnswerWithin(timeout), null);
	}

	/**
	 * Tells the state of its sequence what was answered.
	 * @param answer the answer, or {@code null} where it failed
	 * @param failure why it failed, or {@code null}
	 */
	void ended(SequenceState state, @Nullable T answer, @Nullable RuntimeException failure, Moment now,
			Effects effects);

	/**
	 * Reserves a range.
	 *
	 * @param request what is asked for
	 * @param usualSize how many numbers it would ask for if no block was waiting, or 0
	 * where it says nothing of the demand
	 * @param lastArrival the last caller, by its arrival, that may be served from it
	 */
	record Reservation(RangeRequest request, long usualSize, long lastArrival) implements Operation<ReservedRange> {

		private static final long ANYBODY = Long.MAX_VALUE;

		/**
		 * Makes a reservation of a range that is held, for whoever comes.
		 */
		static Reservation ofRange(RangeRequest request, long usualSize) {
			return new Reservation(request, usualSize, ANYBODY);
		}

		/**
		 * Makes a reservation for one caller. If that one leaves, others may be served
		 * from it that had come by now. Not one that comes later: a higher number may
		 * have been issued elsewhere before it asked.
		 */
		static Reservation forOne(RangeRequest request, long lastArrival) {
			return new Reservation(request, 0, lastArrival);
		}

		Reservation forAnybody() {
			return new Reservation(this.request, this.usualSize, ANYBODY);
		}

		boolean isForAll() {
			return this.lastArrival == ANYBODY;
		}

		@Override
		public CompletionStage<ReservedRange> send(RangeStore store, String sequence) {
			return store.reserve(sequence, this.request);
		}

		@Override
		public Consumer<@Nullable Throwable> announce(SequenceListener listener) {
			return listener.reserving();
		}

		@Override
		public void report(SequenceListener listener, @Nullable ReservedRange range, @Nullable RuntimeException failure,
				Duration time) {
			if (range != null) {
				listener.reserved(range, time);
			}
			else if (failure != null) {
				listener.reservationFailed(failure, time);
			}
		}

		@Override
		public void ended(SequenceState state, @Nullable ReservedRange range, @Nullable RuntimeException failure,
				Moment now, Effects effects) {
			state.reserved(this, range, failure, now, effects);
		}

	}

	/**
	 * Returns unused numbers.
	 *
	 * @param unused the numbers
	 * @param deadlineNanos until when it may be repeated
	 * @param repetitions how often it has been repeated
	 */
	record Return(RangeReturn unused, long deadlineNanos, int repetitions) implements Operation<ReturnOutcome> {

		private static final Duration FIRST_PAUSE = Duration.ofMillis(25);

		private static final int MOST_DOUBLINGS = 5;

		/**
		 * Makes the pause before a repetition.
		 * @return the pause, or {@code null} if it failed for a reason that lasts, or no
		 * time is left
		 */
		@Nullable Pause pauseAfter(ReturnOutcome outcome, long nowNanos) {
			RangeReturn repetition = outcome.repetition();
			String failure = outcome.failure();
			Duration length = FIRST_PAUSE.multipliedBy(1L << Math.min(this.repetitions, MOST_DOUBLINGS));
			return (repetition != null && failure != null && this.deadlineNanos - nowNanos > length.toNanos())
					? new Pause(new Return(repetition, this.deadlineNanos, this.repetitions + 1), length, failure)
					: null;
		}

		@Override
		public CompletionStage<ReturnOutcome> send(RangeStore store, String sequence) {
			return store.returnUnused(sequence, this.unused);
		}

		@Override
		public void report(SequenceListener listener, @Nullable ReturnOutcome outcome,
				@Nullable RuntimeException failure, Duration time) {
			listener.returned(this.unused, orFailed(outcome, failure), time);
		}

		@Override
		public void ended(SequenceState state, @Nullable ReturnOutcome outcome, @Nullable RuntimeException failure,
				Moment now, Effects effects) {
			state.returned(this, orFailed(outcome, failure), now, effects);
		}

		private static ReturnOutcome orFailed(@Nullable ReturnOutcome outcome, @Nullable RuntimeException failure) {
			return (outcome != null) ? outcome : ReturnOutcome.failed(String.valueOf(failure));
		}

	}

	/**
	 * Waits before a return is repeated. Nothing is sent meanwhile, so it may be
	 * abandoned.
	 *
	 * @param next the repetition
	 * @param length how long to wait
	 * @param failure why the last attempt failed
	 */
	record Pause(Return next, Duration length, String failure) implements Operation<Boolean> {

		/**
		 * Whether the time for repetitions is up, so that nobody waits for a pause whose
		 * end was lost.
		 */
		boolean isLate(long nowNanos) {
			return this.next.deadlineNanos - nowNanos <= 0;
		}

		/**
		 * The repetition, which has to be answered within the time that is left.
		 */
		Return repetition(long nowNanos) {
			Duration left = Duration.ofNanos(Math.max(0, this.next.deadlineNanos - nowNanos));
			return new Return(this.next.unused.within(left), this.next.deadlineNanos, this.next.repetitions);
		}

		@Override
		public CompletionStage<Boolean> send(RangeStore store, String sequence) {
			return store.pause(this.length);
		}

		@Override
		public void ended(SequenceState state, @Nullable Boolean over, @Nullable RuntimeException failure, Moment now,
				Effects effects) {
			state.paused(this, now, effects);
		}

	}

	/**
	 * Reads the counter, to find out whether an outage is over. It changes nothing, so it
	 * may be under way beside another operation.
	 *
	 * @param outage what may be over
	 * @param timeout by when the store has to answer
	 */
	record CounterCheck(SequenceSnapshot.Failure outage, Duration timeout) implements Operation<Long> {

		@Override
		public CompletionStage<Long> send(RangeStore store, String sequence) {
			return store.counter(sequence, this.timeout).thenApply((max) -> (max != null) ? max : 0L);
		}

		@Override
		public void ended(SequenceState state, @Nullable Long max, @Nullable RuntimeException failure, Moment now,
				Effects effects) {
			state.checked(this, max);
		}

	}

	/**
	 * Raises the counter. Not a record: two that ask for the same are two.
	 */
	final class Raise implements Operation<Long> {

		private final long floor;

		private final Duration timeout;

		private final CompletableFuture<Long> answer = new CompletableFuture<>();

		Raise(long floor, Duration timeout) {
			this.floor = floor;
			this.timeout = timeout;
		}

		long floor() {
			return this.floor;
		}

		/**
		 * What ends with the counter's value, or with a failure; cancelled by a caller
		 * that has given up.
		 */
		CompletableFuture<Long> answer() {
			return this.answer;
		}

		Raise copy() {
			return new Raise(this.floor, this.timeout);
		}

		@Override
		public CompletionStage<Long> send(RangeStore store, String sequence) {
			return store.raise(sequence, this.floor, this.timeout);
		}

		@Override
		public void report(SequenceListener listener, @Nullable Long max, @Nullable RuntimeException failure,
				Duration time) {
			listener.raised(this.floor, max, time);
		}

		@Override
		public RuntimeException translate(String sequence, String database, @Nullable Throwable failure) {
			return ReservationFailure.ofRaise(sequence, database, this.floor, failure);
		}

		@Override
		public RuntimeException late(String sequence, String database, Duration timeout) {
			return ReservationFailure.notRaised(sequence, database, this.floor,
					ReservationFailure.noAnswerWithin(timeout));
		}

		@Override
		public void ended(SequenceState state, @Nullable Long max, @Nullable RuntimeException failure, Moment now,
				Effects effects) {
			state.raised(this, max, failure, now, effects);
		}

	}

}
