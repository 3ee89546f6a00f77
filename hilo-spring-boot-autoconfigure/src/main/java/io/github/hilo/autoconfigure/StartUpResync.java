package io.github.hilo.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import io.github.hilo.data.HiLoResync;
import io.github.hilo.store.Names;

/**
 * Raises the counters of the collections that {@code hilo.resync} names, once.
 * <p>
 * One thread at a time calls it, the one that starts the context; what it remembers is
 * volatile, because a restart may use another thread.
 */
final class StartUpResync {

	private final List<String> collections;

	private final Supplier<HiLoResync> resync;

	private volatile boolean done;

	StartUpResync(List<String> collections, Supplier<HiLoResync> resync) {
		this.collections = collections;
		this.resync = resync;
	}

	/**
	 * Raises the counters, unless that was done before.
	 * @throws IllegalStateException if one could not be raised
	 */
	void runOnce() {
		if (!this.done) {
			this.collections.forEach(this::run);
			this.done = true;
		}
	}

	private void run(String collection) {
		try {
			this.resync.get().resyncCollection(collection);
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException("The counters of collection " + Names.quoted(collection)
					+ ", which hilo.resync names, could not be raised to its highest id: " + ex.getMessage()
					+ " The application does not start, since it could issue ids that are stored already. Mend that, or"
					+ " take the collection out of hilo.resync.", ex);
		}
	}

}
