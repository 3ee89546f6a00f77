package io.github.hilo.internal.engine;

import java.util.List;
import java.util.function.Supplier;

import io.github.hilo.internal.sequence.SequenceEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happens, one after the other. What one throws is logged and keeps
 * nothing from the others.
 *
 * @param listeners finds the listeners, for each event anew
 */
record EngineEvents(Supplier<List<EngineListener>> listeners) {

	private static final Logger logger = LoggerFactory.getLogger(EngineEvents.class);

	void tell(SequenceEvent event) {
		tolerate(() -> this.listeners.get().forEach((listener) -> tolerate(() -> listener.on(event))));
	}

	private static void tolerate(Runnable call) {
		try {
			call.run();
		}
		// An error too: callers would wait for an operation that never ends.
		catch (Throwable ex) {
			warn(ex);
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
