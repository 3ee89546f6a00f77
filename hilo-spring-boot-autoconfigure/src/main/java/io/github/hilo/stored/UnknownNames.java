package io.github.hilo.stored;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import io.github.hilo.store.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Points out counters that were created for names that nothing known uses. At most one
 * line a minute: names can come from users' input. Internal.
 * <p>
 * Thread-safe: its lock guards the names; lines are logged outside it.
 *
 * @hidden
 */
public final class UnknownNames implements AutoCloseable {

	private static final Duration PAUSE = Duration.ofMinutes(1);

	private static final int MAX_NAMED = 10;

	private static final Logger logger = LoggerFactory.getLogger(UnknownNames.class);

	private final TimeSource time;

	private final Executor executor;

	private final List<String> named = new ArrayList<>();

	private long others;

	private boolean paused;

	public UnknownNames(TimeSource time, Executor executor) {
		this.time = time;
		this.executor = executor;
	}

	/**
	 * Points out a counter, at once or within a minute.
	 */
	void created(String sequence) {
		String line;
		synchronized (this) {
			if (this.named.size() < MAX_NAMED) {
				this.named.add(sequence);
			}
			else {
				this.others++;
			}
			line = this.paused ? null : next();
		}
		tell(line);
	}

	private void resume() {
		String line;
		synchronized (this) {
			line = next();
		}
		tell(line);
	}

	private @Nullable String next() {
		String line = null;
		if (!this.named.isEmpty()) {
			line = String.join(", ", this.named) + ((this.others > 0) ? " and " + this.others + " more" : "");
			this.time.after(PAUSE, this.executor, this::resume);
		}
		this.paused = line != null;
		this.named.clear();
		this.others = 0;
		return line;
	}

	private static void tell(@Nullable String line) {
		if (line != null) {
			logger
				.warn("Counters were created for sequences that no known type and no setting names, so no stored id is"
						+ " checked for them: {}. If documents have ids of such a sequence, put @HiLo with its name on their"
						+ " type, or call ensureAtLeast with the highest; otherwise give it an entry in hilo.sequences",
						line);
		}
	}

	@Override
	public void close() {
		resume();
	}

}
