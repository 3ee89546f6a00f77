package io.github.hilo.internal.sequence;

import java.time.Duration;

import io.github.hilo.internal.store.CounterRepair;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.RangeReturn;
import io.github.hilo.internal.store.ReservedRange;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a sequence beyond taking a number from memory.
 */
public sealed interface SequenceEvent {

	RangeSequence sequence();

	/**
	 * A range is about to be requested, on the thread that needs it.
	 *
	 * @param operation tells this request from every other
	 */
	record ReservationStarted(RangeSequence sequence, Object operation) implements SequenceEvent {
	}

	/**
	 * A request for a range ended: once for each that was started, and once more, without
	 * range and failure, for one whose time was over before it could be sent.
	 *
	 * @param range the range, or {@code null} where there is none to be used
	 * @param failure one of our exceptions, or {@code null} where there is a range or the
	 * engine was resumed meanwhile, which discards the range
	 */
	record ReservationEnded(RangeSequence sequence, Object operation, @Nullable ReservedRange range,
			@Nullable RuntimeException failure, Duration time) implements SequenceEvent {
	}

	/**
	 * A call had to wait, and got its numbers or gave up.
	 *
	 * @param phase what it waited for last
	 * @param limit the longest that the call may take
	 */
	record Waited(RangeSequence sequence, Duration time, Deadline.Phase phase,
			Duration limit) implements SequenceEvent {
	}

	/**
	 * Numbers of a range will be issued by nobody.
	 */
	record Discarded(RangeSequence sequence, long first, long last, String why) implements SequenceEvent {
	}

	/**
	 * A counter was raised above what was issued or stored. A new one that is created is
	 * none of these.
	 */
	record CounterRepaired(RangeSequence sequence, CounterRepair cause) implements SequenceEvent {
	}

	/**
	 * A caller needed an int, and got a number that is too high for one.
	 */
	record Refused(RangeSequence sequence, RuntimeException failure) implements SequenceEvent {
	}

	/**
	 * A return of unused numbers ended.
	 *
	 * @param returned whether they went back; otherwise they become a gap, unless an
	 * attempt was carried out without an answer
	 * @param failure why it failed, or {@code null} if it was answered
	 * @param stopping whether the engine was paused or closed, and tells of all its
	 * failures at once
	 */
	record ReturnEnded(RangeSequence sequence, RangeReturn unused, boolean returned, @Nullable RuntimeException failure,
			Duration time, boolean stopping) implements SequenceEvent {
	}

	/**
	 * A raise of the counter ended.
	 *
	 * @param max where the counter stands, or {@code null} where the raise failed
	 */
	record RaiseEnded(RangeSequence sequence, long floor, @Nullable Long max, Duration time) implements SequenceEvent {
	}

}
