package io.github.hilo.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.hilo.store.Names;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the sequences of all databases, and warns once when there are many: their names
 * may be made of users' input.
 * <p>
 * Thread-safe: the count and the flag are atomic.
 */
final class SequenceCount {

	private static final int MANY = 10_000;

	private static final Logger logger = LoggerFactory.getLogger(SequenceCount.class);

	private final AtomicInteger sequences = new AtomicInteger();

	private final AtomicBoolean warned = new AtomicBoolean();

	void created(String database, String sequence) {
		if (this.sequences.incrementAndGet() == MANY && this.warned.compareAndSet(false, true)) {
			logger
				.warn("There are {} sequences by now, among them {} of database {}. Each takes memory and has meters until "
						+ "the application ends. Do not make names of users' input; if you need so many, limit the tag "
						+ "'sequence' with a MeterFilter.", MANY, Names.quoted(sequence), Names.quoted(database));
		}
	}

	void forgotten() {
		this.sequences.decrementAndGet();
	}

}
