package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.github.hilo.Quoted;
import io.github.hilo.data.HiLoResync;
import org.jspecify.annotations.Nullable;

/**
 * Lifts the counters of the collections that {@code hilo.resync} names, once.
 */
final class StartUpResync {

	private final List<String> collections;

	private final Supplier<@Nullable HiLoResync> resync;

	private volatile boolean done;

	StartUpResync(List<String> collections, Supplier<@Nullable HiLoResync> resync) {
		this.collections = collections;
		this.resync = resync;
	}

	/**
	 * Lifts the counters, unless that was done before.
	 * @throws IllegalStateException if one could not be lifted
	 */
	void runOnce() {
		if (!this.done) {
			this.collections.forEach(this::run);
			this.done = true;
		}
	}

	private void run(String collection) {
		HiLoResync resync = this.resync.get();
		if (resync == null) {
			throw failure(collection, "that takes a MongoDatabaseFactory, and with it the synchronous driver", null);
		}
		try {
			resync.resyncCollection(collection);
		}
		catch (RuntimeException ex) {
			throw failure(collection, String.valueOf(ex.getMessage()), ex);
		}
	}

	private static IllegalStateException failure(String collection, String why, @Nullable RuntimeException cause) {
		return new IllegalStateException("The counters of collection " + Quoted.name(collection)
				+ ", which hilo.resync names, could not be lifted to its highest id: " + why
				+ " The application does not start, since it could issue ids that are stored already. Mend that, or take"
				+ " the collection out of hilo.resync.", cause);
	}

}
