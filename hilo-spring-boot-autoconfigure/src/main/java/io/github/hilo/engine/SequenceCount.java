package io.github.hilo.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.store.Names;

/**
 * Counts the sequences of all databases, and warns once when there are many: their names
 * may be made of users' input.
 * <p>
 * Thread-safe.
 */
final class SequenceCount {

	private static final int MANY = 10_000;

	private static final Logger logger = System.getLogger(SequenceCount.class.getName());

	private final AtomicInteger sequences = new AtomicInteger();

	private final AtomicBoolean warned = new AtomicBoolean();

	void created(String database, String sequence) {
		if (this.sequences.incrementAndGet() == MANY && this.warned.compareAndSet(false, true)) {
			logger.log(Level.WARNING,
					"There are " + MANY + " sequences by now, among them " + Names.quoted(sequence) + " of database "
							+ Names.quoted(database)
							+ ". Each takes memory and has meters until the application ends. Make no names of users'"
							+ " input; if there have to be so many, limit the tag 'sequence' with a MeterFilter.");
		}
	}

	void forgotten() {
		this.sequences.decrementAndGet();
	}

}
