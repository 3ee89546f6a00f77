package io.github.hilo.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.store.RangeReturn;
import io.github.hilo.store.ReservedRange;
import io.github.hilo.store.ReturnOutcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a listener's exceptions instead of passing them to callers.
 * <p>
 * Thread-safe: it holds only the listener, which must be thread-safe.
 */
final class FaultTolerantListener implements EngineListener {

	private static final Logger logger = LoggerFactory.getLogger(FaultTolerantListener.class);

	private final EngineListener listener;

	FaultTolerantListener(EngineListener listener) {
		this.listener = listener;
	}

	@Override
	public SequenceListener created(String database, String sequence, SequenceView view) {
		SequenceListener created = tolerantly(() -> this.listener.created(database, sequence, view),
				SequenceListener.NONE);
		return new SequenceListener() {

			@Override
			public Consumer<@Nullable Throwable> reserving() {
				Consumer<@Nullable Throwable> ended = tolerantly(created::reserving, (failure) -> {
				});
				return (failure) -> tolerantly(() -> ended.accept(failure));
			}

			@Override
			public void waited(Duration time) {
				tolerantly(() -> created.waited(time));
			}

			@Override
			public void forgotten() {
				tolerantly(created::forgotten);
			}

			@Override
			public void reserved(ReservedRange range, Duration time) {
				tolerantly(() -> created.reserved(range, time));
			}

			@Override
			public void reservationFailed(RuntimeException failure, Duration time) {
				tolerantly(() -> created.reservationFailed(failure, time));
			}

			@Override
			public void returned(RangeReturn unused, ReturnOutcome outcome, Duration time) {
				tolerantly(() -> created.returned(unused, outcome, time));
			}

			@Override
			public void lost(RangeReturn unused, String why) {
				tolerantly(() -> created.lost(unused, why));
			}

			@Override
			public void raised(long floor, @Nullable Long max, Duration time) {
				tolerantly(() -> created.raised(floor, max, time));
			}

		};
	}

	@Override
	public void closed() {
		tolerantly(this.listener::closed);
	}

	private static void tolerantly(Runnable call) {
		tolerantly(() -> {
			call.run();
			return Boolean.TRUE;
		}, Boolean.FALSE);
	}

	private static <T> T tolerantly(Supplier<T> call, T otherwise) {
		try {
			return Objects.requireNonNull(call.get(), "The listener answered null");
		}
		// An error too: callers would wait for an operation that never ends.
		catch (Throwable ex) {
			warn(ex);
			return otherwise;
		}
	}

	private static void warn(Throwable failure) {
		try {
			logger.warn("A listener of the HiLo id generator failed; ids are issued all the same", failure);
		}
		catch (Throwable ex) {
			// There is nowhere to log that logging failed.
		}
	}

}
