package io.github.hilo.engine;

import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Receives events about one sequence. Internal; called as {@link EngineListener} is.
 */
public interface SequenceListener {

	/**
	 * Ignores every event.
	 */
	SequenceListener NONE = new SequenceListener() {

		@Override
		public Consumer<@Nullable Throwable> reserving() {
			return (failure) -> {
			};
		}

		@Override
		public void waited(Duration time) {
		}

	};

	/**
	 * A range is about to be requested, on the thread that needs it.
	 * @return what is told of the end: {@code null} where the range was granted, or why
	 * it was not
	 */
	Consumer<@Nullable Throwable> reserving();

	/**
	 * A caller had to wait for a range, and got its number or gave up.
	 * @param time how long it waited
	 */
	void waited(Duration time);

	/**
	 * The sequence is forgotten: it issued nothing, and has no more events. One of the
	 * same name may be created at any time, but no sooner than this method has returned.
	 */
	default void forgotten() {
	}

}
