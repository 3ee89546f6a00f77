package io.github.hilo.internal.sequence;

import java.time.Duration;

import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a sequence, other than a take from memory.
 */
public sealed interface SequenceEvent {

	RangeSequence sequence();

	void tell(SequenceListener listener);

	/**
	 * A range is about to be requested.
	 *
	 * @param operation identifies the request
	 */
	record ReservationStarted(RangeSequence sequence, Object operation) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.reservationStarted(this);
		}

	}

	/**
	 * A request for a range ended. There is one such event for each request that was
	 * started, and a second one, without range and failure, if its time was over before
	 * it could be sent.
	 *
	 * @param range the range, or {@code null} if there is none that may be used
	 * @param failure one of the library's exceptions, or {@code null} if there is a range
	 * or the engine was resumed meanwhile, which discards the range
	 */
	record ReservationEnded(RangeSequence sequence, Object operation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure, Duration time) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.reservationEnded(this);
		}

	}

	/**
	 * A find ended.
	 *
	 * @param stored the highest number of those asked for that a document has, 0 if none
	 * has one, or {@code null} if the find failed
	 */
	record FindEnded(RangeSequence sequence, Place place, @Nullable Long stored,
			@Nullable RuntimeException failure) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.findEnded(this);
		}

	}

	/**
	 * Reservations, or finds in a place, begin to fail.
	 *
	 * @param place where finds fail, or {@code null} for reservations
	 */
	record OutageBegan(RangeSequence sequence, @Nullable Place place, String failure) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.outageBegan(this);
		}

	}

	/**
	 * Reservations, or finds in a place, succeed again.
	 *
	 * @param place where finds failed, or {@code null} for reservations
	 * @param failures how many failed
	 * @param lasted how long it was since the first failure
	 */
	record OutageEnded(RangeSequence sequence, @Nullable Place place, long failures,
			Duration lasted) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.outageEnded(this);
		}

	}

	/**
	 * A call that had to wait got its numbers, or gave up. There is one such event for
	 * each phase in which the call waited.
	 *
	 * @param time how long the call waited in this phase
	 * @param limit the longest that the call may take
	 */
	record Waited(RangeSequence sequence, Duration time, Deadline.Phase phase,
			Duration limit) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.waited(this);
		}

	}

	/**
	 * Numbers of a range will never be issued.
	 */
	record Discarded(RangeSequence sequence, long first, long last, String why) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.discarded(this);
		}

	}

	/**
	 * A counter was raised above what was issued, or a missing one was created again. The
	 * creation of a new counter is no such event.
	 */
	record CounterRepaired(RangeSequence sequence, CounterRepair cause) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.counterRepaired(this);
		}

	}

	/**
	 * A caller needed an int, and got a number that is too high for one.
	 */
	record Refused(RangeSequence sequence, RuntimeException failure) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.refused(this);
		}

	}

	/**
	 * Nobody has used the sequence for a while, and it holds nothing any more.
	 */
	record LetGo(RangeSequence sequence) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.letGo(this);
		}

	}

	/**
	 * A return of unused numbers ended.
	 *
	 * @param returned whether the counter took the numbers back; otherwise they become a
	 * gap, unless an attempt was carried out without an answer
	 * @param failure why the return failed, or {@code null} if it was answered
	 * @param summedUp whether one message tells of all such returns that failed, because
	 * the engine was paused or closed, or nobody uses the sequence
	 */
	record ReturnEnded(RangeSequence sequence, RangeReturn unused, boolean returned, @Nullable RuntimeException failure,
			Duration time, boolean summedUp) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.returnEnded(this);
		}

	}

	/**
	 * A raise of the counter ended.
	 *
	 * @param max where the counter stands, or {@code null} if the raise failed
	 */
	record RaiseEnded(RangeSequence sequence, long floor, @Nullable Long max, Duration time) implements SequenceEvent {

		@Override
		public void tell(SequenceListener listener) {
			listener.raiseEnded(this);
		}

	}

}
