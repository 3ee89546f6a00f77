package io.github.hilo.engine;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Tells a sequence's listener what happens. Other threads find a sequence while the one
 * that created it still asks for its listener: what they do meanwhile is kept and told
 * first, in its order.
 * <p>
 * Thread-safe: the listener is published once nothing is kept any more, which the lock
 * decides. No event is told under the lock.
 */
final class SequenceEvents {

	private final Queue<Consumer<SequenceListener>> kept = new ArrayDeque<>(1);

	private volatile @Nullable SequenceListener listener;

	/**
	 * Sets the listener, once, and tells it what was kept.
	 */
	void listener(SequenceListener listener) {
		Consumer<SequenceListener> event = nextKept(listener);
		while (event != null) {
			event.accept(listener);
			event = nextKept(listener);
		}
	}

	private synchronized @Nullable Consumer<SequenceListener> nextKept(SequenceListener listener) {
		Consumer<SequenceListener> event = this.kept.poll();
		if (event == null) {
			this.listener = listener;
		}
		return event;
	}

	/**
	 * What hears an event that means nothing later.
	 * @return the listener, or {@link SequenceListener#NONE} until it is known
	 */
	SequenceListener now() {
		SequenceListener known = this.listener;
		return (known != null) ? known : SequenceListener.NONE;
	}

	/**
	 * Whether every event is told at once by now.
	 */
	boolean areHeard() {
		return this.listener != null;
	}

	/**
	 * Tells the listener, now or as soon as it is known.
	 */
	void tell(Consumer<SequenceListener> event) {
		SequenceListener known = this.listener;
		if (known == null) {
			known = knownOrKeep(event);
		}
		if (known != null) {
			event.accept(known);
		}
	}

	private synchronized @Nullable SequenceListener knownOrKeep(Consumer<SequenceListener> event) {
		SequenceListener known = this.listener;
		if (known == null) {
			this.kept.add(event);
		}
		return known;
	}

}
