package io.github.hilo.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.hilo.HiLo;
import org.jspecify.annotations.Nullable;

/**
 * Keeps from callers what a listener throws.
 */
final class CarefulListener implements GeneratorListener {

	private static final Logger logger = System.getLogger(CarefulListener.class.getName());

	private final GeneratorListener listener;

	CarefulListener(GeneratorListener listener) {
		this.listener = listener;
	}

	@Override
	public SequenceListener created(String database, String sequence, Supplier<SequenceSnapshot> snapshot) {
		SequenceListener created = carefully(() -> this.listener.created(database, sequence, snapshot),
				SequenceListener.NONE);
		return new SequenceListener() {

			@Override
			public Consumer<@Nullable Throwable> reserving() {
				Consumer<@Nullable Throwable> ended = carefully(created::reserving, (failure) -> {
				});
				return (failure) -> carefully(() -> ended.accept(failure));
			}

			@Override
			public void waited(Duration time) {
				carefully(() -> created.waited(time));
			}

		};
	}

	@Override
	public void closed() {
		carefully(this.listener::closed);
	}

	private static void carefully(Runnable call) {
		carefully(() -> {
			call.run();
			return Boolean.TRUE;
		}, Boolean.FALSE);
	}

	private static <T> T carefully(Supplier<T> call, T otherwise) {
		try {
			return Objects.requireNonNull(call.get(), "The listener answered null");
		}
		// An error too: callers would wait for an operation that never ends.
		catch (Throwable ex) {
			logger.log(Level.WARNING, "A listener of the HiLo id generator failed; ids are issued all the same", ex);
			return otherwise;
		}
	}

}
