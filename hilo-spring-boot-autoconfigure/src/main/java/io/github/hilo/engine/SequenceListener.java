package io.github.hilo.engine;

import java.time.Duration;
import java.util.function.Consumer;

import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Receives events about one sequence. Internal; called as {@link EngineListener} is.
 *
 * @hidden
 */
public interface SequenceListener {

	/**
	 * Ignores every event.
	 */
	SequenceListener NONE = new SequenceListener() {
	};

	/**
	 * A range is about to be requested, on the thread that needs it. Not told where
	 * another thread needs one while this listener is still being asked for.
	 * @return what is told of the end: {@code null} where the range was granted, or why
	 * it was not
	 */
	default Consumer<@Nullable Throwable> reserving() {
		return (failure) -> {
		};
	}

	/**
	 * A caller had to wait for a range, and got its number or gave up.
	 * @param time how long it waited
	 */
	default void waited(Duration time) {
	}

	/**
	 * The sequence is forgotten: it issued nothing, and has no more events. One of the
	 * same name may be created at any time, but no sooner than this method has returned.
	 */
	default void forgotten() {
	}

	/**
	 * A range was reserved.
	 * @param range the range
	 * @param time from the request to the answer
	 */
	default void reserved(ReservedRange range, Duration time) {
	}

	/**
	 * No range was reserved, whoever or whatever needed it.
	 * @param failure one of our exceptions
	 * @param time from the request to the answer
	 */
	default void reservationFailed(RuntimeException failure, Duration time) {
	}

	/**
	 * A return of unused numbers ended.
	 * @param unused the numbers
	 * @param outcome whether the counter was lowered, or why not
	 * @param time from the request to the answer
	 */
	default void returned(RangeReturn unused, ReturnOutcome outcome, Duration time) {
	}

	/**
	 * Unused numbers could not be returned, and become a gap unless the last attempt was
	 * applied without an answer.
	 * @param unused the numbers
	 * @param why why the last attempt failed
	 */
	default void lost(RangeReturn unused, String why) {
	}

	/**
	 * A raise of the counter ended.
	 * @param floor what the counter had to reach
	 * @param max where the counter stands, or {@code null} where the raise failed
	 * @param time from the request to the answer
	 */
	default void raised(long floor, @Nullable Long max, Duration time) {
	}

}
