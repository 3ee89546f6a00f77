package io.github.hilo.internal.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits lines of the log to one a minute for each key, and counts for the next one what
 * the lines that were left out would have said. Thread-safe: a key is changed in the
 * map's own step. The map has one entry for each key.
 */
public final class LineLimit {

	private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

	private final TimeSource time;

	private final Map<Object, Last> last = new ConcurrentHashMap<>();

	public LineLimit(TimeSource time) {
		this.time = time;
	}

	/**
	 * Counts what a line would say.
	 * @param count how many it would tell of, at least 1
	 * @return of how many a line must tell now, with those of the lines that were left
	 * out, or 0 if none is due
	 */
	public long due(Object key, long count) {
		long now = this.time.nanoTime();
		return this.last.compute(key, (absent, known) -> {
			long untold = count + ((known != null) ? known.untold() : 0);
			return (known != null && now - known.atNanos() < BETWEEN_LINES.toNanos())
					? new Last(known.atNanos(), untold, 0) : new Last(now, 0, untold);
		}).due();
	}

	/**
	 * @param due what the latest call was told
	 */
	private record Last(long atNanos, long untold, long due) {
	}

}
