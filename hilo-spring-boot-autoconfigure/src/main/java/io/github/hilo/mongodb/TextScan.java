package io.github.hilo.mongodb;

import java.time.Duration;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Names;
import io.github.hilo.store.StoredIdScope;
import io.github.hilo.store.TimeSource;
import org.bson.BsonDocument;
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

	/**
	 * The longest that one batch may take: a collection with a collation of its own is
	 * read as a whole for it.
	 */
	static final Duration STEP_TIMEOUT = Duration.ofMinutes(10);

	private final String sequence;

	private final String database;

	private final TimeSource time;

	private long toldNanos;

	private volatile @Nullable Visit current;

	TextScan(String sequence, String database, TimeSource time) {
		this.sequence = sequence;
		this.database = database;
		this.time = time;
		this.toldNanos = time.nanoTime();
	}

	/**
	 * Goes on in a place.
	 * @param prefix what the ids begin with
	 */
	Visit of(StoredIdScope.Place place, String prefix) {
		Visit visited = new Visit(place, prefix);
		this.current = visited;
		return visited;
	}

	/**
	 * Tells how far it has come.
	 * @return how many ids were read and the highest number by now, or {@code null} if it
	 * has not begun
	 */
	@Nullable String progress() {
		Visit visited = this.current;
		return (visited != null) ? visited.toString() : null;
	}

	/**
	 * The ids of one place.
	 */
	final class Visit {

		private final StoredIdScope.Place place;

		private final String prefix;

		private volatile long count;

		private volatile long highest;

		private long ignored;

		private String ignoredExample = "";

		private @Nullable String beyond;

		Visit(StoredIdScope.Place place, String prefix) {
			this.place = place;
			this.prefix = prefix;
		}

		void visit(BsonDocument document) {
			BsonValue id = IdQuery.valueOf(this.place, document);
			// A symbol compares like a string.
			if (id != null && id.isString()) {
				visit(id.asString().getValue());
			}
		}

		@SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
		private void visit(String id) {
			if (!id.startsWith(this.prefix)) {
				return;
			}
			this.count++;
			long number = DocumentIdNumber.of(id, this.prefix.length());
			if (number > HiLoIdGenerator.MAX_FLOOR) {
				this.beyond = Names.quoted(id);
			}
			else {
				this.highest = Math.max(this.highest, number);
			}
			if (number == 0 && this.ignored++ == 0) {
				this.ignoredExample = id;
			}
			tellProgress();
		}

		private void tellProgress() {
			long nowNanos = TextScan.this.time.nanoTime();
			if (nowNanos - TextScan.this.toldNanos >= PROGRESS_INTERVAL.toNanos()) {
				TextScan.this.toldNanos = nowNanos;
				logger.info("Reading ids: {}", this);
			}
		}

		/**
		 * Ends the visit.
		 */
		HighestStoredId highest() {
			if (this.ignored > 0) {
				logger.warn(
						"{} of {} texts that begin like an id of sequence {} in {} of database {}"
								+ " are of another form, such as {}; they were ignored",
						this.ignored, this.count, Names.quoted(TextScan.this.sequence), this.place.describe(),
						Names.quoted(TextScan.this.database), Names.quoted(this.ignoredExample));
			}
			return new HighestStoredId(this.highest, this.place.describe(), this.beyond);
		}

		@Override
		public String toString() {
			return this.count + " ids of sequence " + Names.quoted(TextScan.this.sequence) + " in "
					+ this.place.describe() + " of database " + Names.quoted(TextScan.this.database)
					+ " have been read so far; the highest number is " + this.highest;
		}

	}

}
