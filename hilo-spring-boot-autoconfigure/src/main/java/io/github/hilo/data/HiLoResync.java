package io.github.hilo.data;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.Quoted;
import io.github.hilo.StoredIds;
import io.github.hilo.TimeSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.StringUtils;

/**
 * Lifts counters to the highest id that is stored already, for documents that come from
 * another system, or from a backup.
 * <p>
 * Ids are numbers of any type, or texts such as {@code orders/54-A} that begin with the
 * sequence's name and the configured separator. Of an id whose tag or server prefix holds
 * digits the highest number that it may stand for is taken, so that the counter gets too
 * high rather than too low. Ids of any other form are left out of account.
 * <p>
 * <b>Stop whatever writes documents with ids of its own first:</b> what is stored while
 * the ids are read may be missed. Documents that were deleted can't be seen at all: where
 * the other system has a counter, pass that to {@link HiLoIdGenerator#ensureAtLeast}.
 * <p>
 * Numbers take one look into the {@code _id} index; texts take a walk along it, which is
 * as long as there are documents, and tells its progress in the log every 10 seconds.
 * <p>
 * Thread-safe. Every method throws {@link HiLoUnavailableException} if MongoDB did not
 * answer, {@link HiLoDocumentException} if an id is beyond
 * {@link HiLoIdGenerator#MAX_FLOOR} or the counter document is malformed,
 * {@link IllegalArgumentException} for a blank name or a type without a collection, and
 * {@link IllegalStateException} once the generator is closed. Nothing was lifted then,
 * except where {@link HiLoIdGenerator#ensureAtLeast} says so.
 */
public final class HiLoResync {

	private static final Logger logger = LoggerFactory.getLogger(HiLoResync.class);

	private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);

	private static final BigDecimal MAX_FLOOR = BigDecimal.valueOf(HiLoIdGenerator.MAX_FLOOR);

	private final HiLoIdGenerator generator;

	private final Function<@Nullable String, StoredIds> storedIds;

	private final @Nullable String database;

	private final MappedSequenceNames names;

	private final String separator;

	private final TimeSource time;

	/**
	 * Creates a resync for the default database.
	 * @param generator lifts the counters
	 * @param storedIds finds the ids of a database by its name, or those of the default
	 * database by {@code null}
	 * @param names names the sequences of entity types
	 * @param separator what stands between a sequence's name and a number in a document
	 * id
	 * @param time the clock
	 */
	public HiLoResync(HiLoIdGenerator generator, Function<@Nullable String, StoredIds> storedIds,
			MappedSequenceNames names, String separator, TimeSource time) {
		this(generator, storedIds, null, names, separator, time);
	}

	private HiLoResync(HiLoIdGenerator generator, Function<@Nullable String, StoredIds> storedIds,
			@Nullable String database, MappedSequenceNames names, String separator, TimeSource time) {
		this.generator = generator;
		this.storedIds = storedIds;
		this.database = database;
		this.names = names;
		this.separator = separator;
		this.time = time;
	}

	/**
	 * Lifts an entity type's counter to the highest id in the collection that the type is
	 * saved to.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public long resync(Class<?> entityType) {
		String sequence = this.names.nameOf(entityType);
		return resync(this.names.collectionOf(entityType), sequence);
	}

	/**
	 * Lifts a counter to the highest id in a collection.
	 * @param collection the collection's name
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public long resync(String collection, String sequence) {
		requireCollection(collection);
		// Refuses a name that no sequence can have before the ids are read.
		this.generator.sequence(sequence);
		StoredIds ids = this.storedIds.apply(this.database);
		Place place = new Place(collection, ids.database(), sequence);
		long highest = Math.max(highestNumber(ids, place), highestInTexts(ids, place));
		if (highest == 0) {
			logger.info("There is no id of {}; its counter was left alone", place);
			return 0;
		}
		long max = this.generator.ensureAtLeast(sequence, highest);
		logger.info("The highest id of {} is {}; its counter stands at {}", place, highest, max);
		return max;
	}

	/**
	 * Lifts every counter of a collection to the highest of its ids: the counters of
	 * those entity types known by now that are saved to it, or else the one that has the
	 * collection's name.
	 * @param collection the collection's name
	 * @return for each sequence where its counter stands, or 0 if the collection holds no
	 * such id, and the counter was left alone
	 */
	public Map<String, Long> resyncCollection(String collection) {
		requireCollection(collection);
		Map<String, Long> counters = new TreeMap<>();
		for (String sequence : this.names.sequencesOf(collection)) {
			counters.put(sequence, resync(collection, sequence));
		}
		return counters;
	}

	/**
	 * Returns the same for the documents and counters of another database.
	 * @param database the database's name, or {@code null} for the default database
	 * @return a resync of that database
	 */
	public HiLoResync forDatabase(@Nullable String database) {
		return new HiLoResync(this.generator.forDatabase(database), this.storedIds, database, this.names,
				this.separator, this.time);
	}

	private static long highestNumber(StoredIds ids, Place place) {
		BigDecimal number = ids.highestNumber(place.collection());
		if (number == null) {
			return 0;
		}
		if (number.compareTo(MAX_FLOOR.add(BigDecimal.ONE)) >= 0) {
			throw tooHigh(number.toString(), place);
		}
		return number.setScale(0, RoundingMode.FLOOR).longValueExact();
	}

	private long highestInTexts(StoredIds ids, Place place) {
		TextScan scan = new TextScan(place);
		ids.forEachText(place.collection(), place.sequence() + this.separator, scan::visit);
		if (scan.ignored > 0) {
			logger.warn("{} of {} texts that begin like an id of {} are of another form, such as {}; they were ignored",
					scan.ignored, scan.count, place, Quoted.name(scan.ignoredExample));
		}
		return scan.highest;
	}

	private static void requireCollection(@Nullable String collection) {
		if (!StringUtils.hasText(collection)) {
			throw new IllegalArgumentException("The collection name is " + ((collection == null) ? "null" : "blank")
					+ ". Pass the name of the documents' collection, such as \"orders\".");
		}
	}

	private static HiLoDocumentException tooHigh(String id, Place place) {
		return new HiLoDocumentException("The id " + id + ", an id of " + place + ", may stand for a number beyond "
				+ HiLoIdGenerator.MAX_FLOOR + ", the highest that a counter can be lifted to. Nothing was lifted."
				+ " Give the document another id, or find the highest number yourself and pass it to"
				+ " HiLoIdGenerator.ensureAtLeast.");
	}

	/**
	 * Whose ids are read, and for which counter.
	 */
	private record Place(String collection, String database, String sequence) {

		@Override
		public String toString() {
			return "sequence " + Quoted.name(this.sequence) + " in collection " + Quoted.name(this.collection)
					+ " of database " + Quoted.name(this.database);
		}

	}

	/**
	 * A walk along the ids that are texts.
	 */
	private final class TextScan {

		private final Place place;

		private final int numberFrom;

		private long toldNanos = HiLoResync.this.time.nanoTime();

		private long count;

		private long highest;

		private long ignored;

		private String ignoredExample = "";

		TextScan(Place place) {
			this.place = place;
			this.numberFrom = (place.sequence() + HiLoResync.this.separator).length();
		}

		void visit(String id) {
			this.count++;
			long number = DocumentIdNumber.of(id, this.numberFrom);
			if (number > HiLoIdGenerator.MAX_FLOOR) {
				throw tooHigh(Quoted.name(id), this.place);
			}
			this.highest = Math.max(this.highest, number);
			if (number == 0 && this.ignored++ == 0) {
				this.ignoredExample = id;
			}
			tellProgress();
		}

		private void tellProgress() {
			long nowNanos = HiLoResync.this.time.nanoTime();
			if (nowNanos - this.toldNanos >= PROGRESS_INTERVAL.toNanos()) {
				this.toldNanos = nowNanos;
				logger.info("Read {} ids of {} so far; the highest is {}", this.count, this.place, this.highest);
			}
		}

	}

}
