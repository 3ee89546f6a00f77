package io.github.hilo.stored;

import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Points out counters that were created for names that nothing known uses, ten in the
 * life of a process: names can come from users' input. Internal.
 *
 * @hidden
 */
public final class UnknownNames {

	private static final int MOST = 10;

	private static final Logger logger = LoggerFactory.getLogger(UnknownNames.class);

	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Points out a counter.
	 * @param sequence the sequence and its database, as they stand in a message
	 */
	void created(String sequence) {
		int created = this.count.incrementAndGet();
		if (created <= MOST) {
			logger.warn("A counter was created for {}, which no known type and no setting names, and no document was"
					+ " found in a collection of its name. If documents have ids of this sequence, put @HiLo with its"
					+ " name on their type, or call ensureAtLeast with the highest; otherwise give it an entry in"
					+ " hilo.sequences", sequence);
		}
		else if (created == MOST + 1) {
			logger.warn("Counters were created for more than {} sequences that nothing known names. No more of them are"
					+ " pointed out until the application is started again", MOST);
		}
	}

}
