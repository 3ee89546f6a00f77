package io.github.hilo.internal.stored;

import java.time.Duration;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scan of the ids of one sequence that are texts, to find their highest number. It
 * reads as many ids as there are documents, and logs its progress every 10 seconds.
 * <p>
 * Thread-safe: one thread at a time visits ids, any thread asks for the progress.
 */
final class TextScan {

	private static final Logger logger = LoggerFactory.getLogger(TextScan.class);

	private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);

	private final StoredIdMemory memory;

	private final TimeSource time;

	private final String serverPrefix;

	private long toldNanos;

	private volatile long movedNanos;

	private long ignored;

	private String ignoredExample = "";

	private volatile HighestStoredId highest = HighestStoredId.NONE;

	private volatile long count;

	private volatile @Nullable Place place;

	TextScan(StoredIdMemory memory, String serverPrefix) {
		this.memory = memory;
		this.time = memory.time();
		this.serverPrefix = serverPrefix;
		this.toldNanos = this.time.nanoTime();
		this.movedNanos = this.toldNanos;
	}

	/**
	 * Counts an id. One that looks exactly as those that are issued has the number that
	 * the check finds, whatever else it looks like.
	 */
	void visit(Place place, BsonValue id) {
		String text = new StoredId(place, id).text();
		if (text.startsWith(this.memory.format().head())) {
			long own = this.memory.format().numberOf(text, this.serverPrefix);
			visit(place, text, (own > 0) ? own : this.memory.format().numberIn(text));
		}
	}

	@SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
	private void visit(Place place, String id, long number) {
		this.place = place;
		this.count++;
		if (number > this.highest.number() && number <= HiLoIdGenerator.MAX_FLOOR) {
			this.highest = new HighestStoredId(number, place.describe());
		}
		if (number == 0 && this.ignored++ == 0) {
			this.ignoredExample = id;
		}
		long nowNanos = this.time.nanoTime();
		this.movedNanos = nowNanos;
		if (nowNanos - this.toldNanos >= PROGRESS_INTERVAL.toNanos()) {
			this.toldNanos = nowNanos;
			logger.info("Reading ids: {}", progress());
		}
	}

	HighestStoredId end() {
		if (this.ignored > 0) {
			logger.warn(
					"{} of {} texts that begin like an id of {} are of another form, such as"
							+ " {}; they were ignored",
					this.ignored, this.count, this.memory.describe(), Names.quoted(this.ignoredExample));
		}
		return this.highest;
	}

	/**
	 * The longest that one batch may take.
	 */
	Duration stepTimeout() {
		return this.memory.settings().timeout();
	}

	/**
	 * Whether nothing has come for longer than one batch may take, so that it is over.
	 */
	boolean isLost() {
		return this.time.nanoTime() - this.movedNanos > stepTimeout().toNanos();
	}

	/**
	 * Tells how far it has come, {@code null} if it has not begun.
	 */
	@Nullable String progress() {
		Place current = this.place;
		return (current == null) ? null : this.count + " ids of " + this.memory.describe() + " in " + current.describe()
				+ " have been read so far; the highest number is " + this.highest.number();
	}

}
