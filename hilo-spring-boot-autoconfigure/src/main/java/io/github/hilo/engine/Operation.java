package io.github.hilo.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.hilo.store.CounterRepair;
import io.github.hilo.store.RangeRequest;
import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.ReservedRange;
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
	 * @param repaired told of each raise of the counter, even after the answer
	 * @return what ends with the answer
	 */
	CompletionStage<T> send(RangeStore store, String sequence, Consumer<CounterRepair> repaired);

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
	 * @param token tells it from every other, also from one that asks for the same
	 */
	record Reservation(RangeRequest request, long usualSize, long lastArrival,
			Object token) implements Operation<ReservedRange> {

		private static final long ANYBODY = Long.MAX_VALUE;

		/**
		 * Makes a reservation of a range that is held, for whoever comes.
		 */
		static Reservation ofRange(RangeRequest request, long usualSize) {
			return new Reservation(request, usualSize, ANYBODY, new Object());
		}

		/**
		 * Makes a reservation for one caller. If that one leaves, others may be served
		 * from it that had come by now. Not one that comes later: a higher number may
		 * have been issued elsewhere before it asked.
		 */
		static Reservation forOne(RangeRequest request, long lastArrival) {
			return new Reservation(request, 0, lastArrival, new Object());
		}

		Reservation forAnybody() {
			return new Reservation(this.request, this.usualSize, ANYBODY, this.token);
		}

		boolean isForAll() {
			return this.lastArrival == ANYBODY;
		}

		@Override
		public CompletionStage<ReservedRange> send(RangeStore store, String sequence,
				Consumer<CounterRepair> repaired) {
			return store.reserve(sequence, this.request, repaired);
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
	 */
	record Return(RangeReturn unused) implements Operation<Boolean> {

		@Override
		public CompletionStage<Boolean> send(RangeStore store, String sequence, Consumer<CounterRepair> repaired) {
			return store.returnUnused(sequence, this.unused);
		}

		@Override
		public void ended(SequenceState state, @Nullable Boolean returned, @Nullable RuntimeException failure,
				Moment now, Effects effects) {
			state.returned(this, returned, failure, now, effects);
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
		public CompletionStage<Long> send(RangeStore store, String sequence, Consumer<CounterRepair> repaired) {
			return store.counter(sequence, this.timeout).thenApply((max) -> (max != null) ? max : 0L);
		}

		@Override
		public void ended(SequenceState state, @Nullable Long max, @Nullable RuntimeException failure, Moment now,
				Effects effects) {
			state.checked(this, max);
		}

	}

	/**
	 * Raises the counter.
	 *
	 * @param floor what it has to reach
	 * @param timeout by when the store has to answer
	 * @param answer ends with the counter's value, or with a failure; cancelled by a
	 * caller that has given up
	 */
	record Raise(long floor, Duration timeout, CompletableFuture<Long> answer) implements Operation<Long> {

		@Override
		public CompletionStage<Long> send(RangeStore store, String sequence, Consumer<CounterRepair> repaired) {
			return store.raise(sequence, this.floor, this.timeout);
		}

		@Override
		public void ended(SequenceState state, @Nullable Long max, @Nullable RuntimeException failure, Moment now,
				Effects effects) {
			state.raised(this, max, failure, now, effects);
		}

	}

}
