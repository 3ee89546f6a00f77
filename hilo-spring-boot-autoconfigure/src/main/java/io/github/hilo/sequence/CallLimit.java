package io.github.hilo.sequence;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.hilo.store.Deadline;
import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * How long the call of a thread may wait: a call that takes several ids, or one that must
 * be confirmed, has one time limit for all that it waits for. Internal.
 *
 * @hidden
 */
public final class CallLimit {

	private static final ThreadLocal<@Nullable Deadline> CURRENT = new ThreadLocal<>();

	private CallLimit() {
	}

	/**
	 * Makes a call that waits no longer than a time, or than the call that it is part of.
	 * @param <T> the type of the result
	 * @param timeout how long it may wait in all
	 * @param call the call
	 * @return its result
	 */
	public static <T> T within(Duration timeout, Supplier<T> call) {
		if (CURRENT.get() != null) {
			return call.get();
		}
		CURRENT.set(new Deadline(timeout, TimeSource.SYSTEM));
		try {
			return call.get();
		}
		finally {
			CURRENT.remove();
		}
	}

	/**
	 * How long this thread may still wait.
	 * @param timeout how long, unless it is limited
	 */
	static Duration left(Duration timeout) {
		Deadline current = CURRENT.get();
		return (current != null) ? current.left() : timeout;
	}

}
