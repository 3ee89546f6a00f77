package io.github.hilo.mongodb;

import java.time.Duration;

import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Names;
import io.github.hilo.store.TimeSource;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A walk over the ids of one sequence that are texts, which is as long as there are
 * documents. It tells its progress in the log every 10 seconds.
 * <p>
 * Thread-safe: one thread at a time visits ids, any thread asks for the progress.
 */
final class TextWalk {

	private static final Logger logger = LoggerFactory.getLogger(TextWalk.class);

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

	private volatile @Nullable Collection current;

	TextWalk(String sequence, String database, TimeSource time) {
		this.sequence = sequence;
		this.database = database;
		this.time = time;
		this.toldNanos = time.nanoTime();
	}

	/**
	 * Goes on in a collection.
	 * @param prefix what the ids begin with
	 */
	Collection of(String collection, String prefix) {
		Collection visited = new Collection(collection, prefix);
		this.current = visited;
		return visited;
	}

	/**
	 * Says how far it has come.
	 * @return how many ids were read and the highest number by now, or {@code null} if it
	 * has not begun
	 */
	@Nullable String progress() {
		Collection visited = this.current;
		return (visited != null) ? visited.toString() : null;
	}

	/**
	 * The ids of one collection.
	 */
	final class Collection {

		private final String name;

		private final String prefix;

		private volatile long count;

		private volatile long highest;

		private long ignored;

		private String ignoredExample = "";

		private @Nullable String beyond;

		Collection(String name, String prefix) {
			this.name = name;
			this.prefix = prefix;
		}

		@SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
		void visit(BsonDocument document) {
			// A symbol compares like a string.
			String id = document.isString("_id") ? document.getString("_id").getValue() : "";
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
			long nowNanos = TextWalk.this.time.nanoTime();
			if (nowNanos - TextWalk.this.toldNanos >= PROGRESS_INTERVAL.toNanos()) {
				TextWalk.this.toldNanos = nowNanos;
				logger.info("Reading ids: {}", this);
			}
		}

		/**
		 * Ends the visit.
		 */
		HighestStoredId highest() {
			if (this.ignored > 0) {
				logger.warn(
						"{} of {} texts that begin like an id of sequence {} in collection {} of database {}"
								+ " are of another form, such as {}; they were ignored",
						this.ignored, this.count, Names.quoted(TextWalk.this.sequence), Names.quoted(this.name),
						Names.quoted(TextWalk.this.database), Names.quoted(this.ignoredExample));
			}
			return new HighestStoredId(this.highest, this.name, this.beyond);
		}

		@Override
		public String toString() {
			return this.count + " ids of sequence " + Names.quoted(TextWalk.this.sequence) + " in collection "
					+ Names.quoted(this.name) + " of database " + Names.quoted(TextWalk.this.database)
					+ " have been read so far; the highest number is " + this.highest;
		}

	}

}
