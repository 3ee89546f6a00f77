package io.github.hilo.data;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.engine.EntitySequenceNames;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Names;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.StoredIdScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.ClassUtils;

/**
 * Raises counters to the highest id that is stored already, for documents that come from
 * another system, or from a backup.
 * <p>
 * Ids are numbers of any type, or texts such as {@code orders/54-A} that begin with the
 * sequence's name and the configured separator. Of an id whose tag or server prefix holds
 * digits the highest number that it may stand for is taken, so that the counter gets too
 * high rather than too low. Ids of any other form are left out of account.
 * <p>
 * A counter that is created, or raised because it is behind, goes above the stored ids by
 * itself ({@code hilo.check-stored-ids}). A resync is for counters that are there
 * already, and for reading long before the first id is needed.
 * <p>
 * <b>Stop whatever writes documents with ids of its own first:</b> what is stored while
 * the ids are read may be missed. Documents that were deleted can't be seen at all: where
 * the other system has a counter, pass that to {@link HiLoIdGenerator#ensureAtLeast}.
 * <p>
 * Numbers take one find in the {@code _id} index; texts take a scan of it, which is as
 * long as there are documents, and tells its progress in the log every 10 seconds.
 * <p>
 * It works with either driver, and blocks. Reactive callers move it to a thread that may:
 * {@code Mono.fromCallable(() -> resync.resync(Order.class)).subscribeOn(Schedulers.boundedElastic())}.
 * <p>
 * Thread-safe. Every method throws {@link HiLoUnavailableException} if MongoDB did not
 * answer, {@link HiLoDocumentException} if an id is beyond
 * {@link HiLoIdGenerator#MAX_FLOOR} or the counter document is malformed,
 * {@link IllegalArgumentException} for a name out of bounds or a type without a
 * collection, and {@link IllegalStateException} once the generator is closed, and on an
 * event loop or another thread that must not block. Nothing was raised then, except where
 * {@link HiLoIdGenerator#ensureAtLeast} says so.
 */
public final class HiLoResync {

	private static final Logger logger = LoggerFactory.getLogger(HiLoResync.class);

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.scheduler.Schedulers",
			HiLoResync.class.getClassLoader());

	private static final String NETTY_THREAD = "io.netty.util.concurrent.FastThreadLocalThread";

	private static final Duration STEP_TIMEOUT = Duration.ofMinutes(1);

	private final HiLoEngine engine;

	private final MappedSequenceNames names;

	private final @Nullable String database;

	/**
	 * Creates a resync for the default database.
	 * @param engine finds the stored ids and raises the counters
	 * @param names names the sequences of entity types
	 */
	public HiLoResync(HiLoEngine engine, MappedSequenceNames names) {
		this(engine, names, null);
	}

	private HiLoResync(HiLoEngine engine, MappedSequenceNames names, @Nullable String database) {
		this.engine = engine;
		this.names = names;
		this.database = database;
	}

	/**
	 * Raises the counter of an entity type's ids to the highest id in the collection that
	 * the type is saved to.
	 * @param entityType a type that Spring Data MongoDB maps to a collection
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public long resync(Class<?> entityType) {
		Class<?> type = EntitySequenceNames.requireType(entityType);
		String sequence = this.names.nameOf(type);
		return resync(this.names.collectionOf(type), sequence);
	}

	/**
	 * Raises a counter to the highest id in a collection: of the fields that known types
	 * number from the sequence, or else of {@code _id}.
	 * @param collection the collection's name
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return where the counter stands, or 0 if the collection holds no such id, and the
	 * counter was left alone
	 */
	public long resync(String collection, String sequence) {
		return resync(collection, sequence, this.names.scopeOf(collection, sequence));
	}

	/**
	 * Raises every counter of a collection to the highest of its ids: the counters of the
	 * ids, and of the properties with {@code @HiLo}, of those entity types known by now
	 * that are saved to it, or else the one that has the collection's name.
	 * @param collection the collection's name
	 * @return for each sequence where its counter stands, or 0 if the collection holds no
	 * such id, and the counter was left alone
	 */
	public Map<String, Long> resyncCollection(String collection) {
		Map<String, Long> raised = new TreeMap<>();
		this.names.sequencesOf(collection)
			.forEach((sequence, scope) -> raised.put(sequence, resync(collection, sequence, scope)));
		return raised;
	}

	/**
	 * Tells what {@link #resync(String, String)} would do now, and changes nothing.
	 * @param collection the collection's name
	 * @param sequence the exact name of the counter, such as {@code orders}
	 * @return the highest id and the counter
	 */
	public Report report(String collection, String sequence) {
		return report(collection, sequence, this.names.scopeOf(collection, sequence));
	}

	/**
	 * Tells what {@link #resyncCollection} would do now, and changes nothing.
	 * @param collection the collection's name
	 * @return the highest id and the counter of each sequence
	 */
	public Map<String, Report> reportCollection(String collection) {
		Map<String, Report> reports = new TreeMap<>();
		this.names.sequencesOf(collection)
			.forEach((sequence, scope) -> reports.put(sequence, report(collection, sequence, scope)));
		return reports;
	}

	/**
	 * Returns the same for the documents and counters of another database.
	 * @param database the database's name, or {@code null} for the default database
	 * @return a resync of that database
	 */
	public HiLoResync forDatabase(@Nullable String database) {
		return new HiLoResync(this.engine, this.names, HiLoEngine.requireDatabase(database));
	}

	private long resync(String collection, String sequence, StoredIdScope scope) {
		RangeStore store = store(sequence);
		String ids = describe(store, collection, sequence);
		long highest = highest(store, ids, sequence, scope);
		if (highest == 0) {
			logger.info("There is no id of {}; its counter was left alone", ids);
			return 0;
		}
		long max = await(this.engine.raiseAsync(store, sequence, highest, Runnable::run));
		logger.info("The highest id of {} is {}; its counter stands at {}", ids, highest, max);
		return max;
	}

	private Report report(String collection, String sequence, StoredIdScope scope) {
		RangeStore store = store(sequence);
		long highest = highest(store, describe(store, collection, sequence), sequence, scope);
		return await(store.counter(sequence, STEP_TIMEOUT).thenApply((counter) -> new Report(highest, counter)));
	}

	private RangeStore store(String sequence) {
		if (isOnEventLoop()) {
			throw new IllegalStateException("A resync blocks, and thread "
					+ Names.quoted(Thread.currentThread().getName()) + " must not be blocked. Nothing was read. Use"
					+ " Mono.fromCallable(...).subscribeOn(Schedulers.boundedElastic()).");
		}
		RangeStore store = this.engine.storeOf(this.database);
		this.engine.requireUsable(store, sequence);
		return store;
	}

	/**
	 * Whether this thread serves many callers: one of Reactor's, or of Netty, which may
	 * be the driver's own.
	 */
	private static boolean isOnEventLoop() {
		return (REACTOR && Schedulers.isInNonBlockingThread())
				|| Thread.currentThread().getClass().getName().equals(NETTY_THREAD);
	}

	private static String describe(RangeStore store, String collection, String sequence) {
		return "sequence " + Names.quoted(sequence) + " in collection " + Names.quoted(collection) + " of database "
				+ Names.quoted(store.database());
	}

	private static long highest(RangeStore store, String ids, String sequence, StoredIdScope scope) {
		HighestStoredId highest = await(store.highestStored(sequence, scope, STEP_TIMEOUT));
		if (highest.beyond() != null) {
			throw new HiLoDocumentException("The id " + highest.beyond() + ", an id of " + ids
					+ ", may stand for a number beyond " + HiLoIdGenerator.MAX_FLOOR
					+ ", the highest that a counter can be raised to. Nothing was raised."
					+ " Give the document another id, or find the highest number yourself and pass it to"
					+ " HiLoIdGenerator.ensureAtLeast.");
		}
		return highest.number();
	}

	private static <T> T await(CompletionStage<T> answer) {
		return Answers.await(answer, "Interrupted while stored ids were being read or a counter was raised");
	}

	/**
	 * What a resync would find.
	 *
	 * @param highest the highest number that stored ids have, or 0 if none has one
	 * @param counter where the counter stands, or {@code null} if there is none
	 */
	public record Report(long highest, @Nullable Long counter) {

		/**
		 * Whether a resync would raise the counter, or create it.
		 * @return {@code true} if the counter is missing or behind
		 */
		public boolean isBehind() {
			return this.highest > ((this.counter != null) ? this.counter : 0);
		}

	}

}
