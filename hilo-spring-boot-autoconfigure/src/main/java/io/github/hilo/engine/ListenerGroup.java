package io.github.hilo.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Tells several listeners one after the other.
 * <p>
 * Thread-safe if its listeners are: its lists never change.
 *
 * @param listeners each must throw nothing, or those after it are not told
 */
record ListenerGroup(List<EngineListener> listeners) implements EngineListener {

	@Override
	public SequenceListener created(String database, String sequence, SequenceView view) {
		return new Sequence(
				this.listeners.stream().map((listener) -> listener.created(database, sequence, view)).toList());
	}

	@Override
	public void closed() {
		this.listeners.forEach(EngineListener::closed);
	}

	private record Sequence(List<SequenceListener> listeners) implements SequenceListener {

		@Override
		public Consumer<@Nullable Throwable> reserving() {
			List<Consumer<@Nullable Throwable>> ends = this.listeners.stream()
				.map(SequenceListener::reserving)
				.toList();
			return (failure) -> ends.forEach((end) -> end.accept(failure));
		}

		@Override
		public void waited(Duration time) {
			this.listeners.forEach((listener) -> listener.waited(time));
		}

		@Override
		public void reserved(ReservedRange range, Duration time) {
			this.listeners.forEach((listener) -> listener.reserved(range, time));
		}

		@Override
		public void reservationFailed(RuntimeException failure, Duration time) {
			this.listeners.forEach((listener) -> listener.reservationFailed(failure, time));
		}

		@Override
		public void returned(RangeReturn unused, ReturnOutcome outcome, Duration time) {
			this.listeners.forEach((listener) -> listener.returned(unused, outcome, time));
		}

		@Override
		public void lost(RangeReturn unused, String why) {
			this.listeners.forEach((listener) -> listener.lost(unused, why));
		}

		@Override
		public void raised(long floor, @Nullable Long max, Duration time) {
			this.listeners.forEach((listener) -> listener.raised(floor, max, time));
		}

		@Override
		public void forgotten() {
			this.listeners.forEach(SequenceListener::forgotten);
		}

	}

}
