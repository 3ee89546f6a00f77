package io.github.hilo.data;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.engine.HiLoEngine;
import io.github.hilo.mapping.MappedSequenceNames;
import io.github.hilo.sequence.LatchWait;
import io.github.hilo.store.HighestStoredId;
import io.github.hilo.store.Place;
import io.github.hilo.store.RangeStore;
import io.github.hilo.text.Names;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

import org.springframework.util.ClassUtils;

/**
 * Raises counters through the engine. Internal; inject {@link HiLoResync}.
 *
 * @hidden
 */
public final class DefaultHiLoResync implements HiLoResync {

	private static final Logger logger = LoggerFactory.getLogger(DefaultHiLoResync.class);

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.scheduler.Schedulers",
			DefaultHiLoResync.class.getClassLoader());

	private static final Duration STEP_TIMEOUT = Duration.ofMinutes(1);

	private final HiLoEngine engine;

	private final MappedSequenceNames names;

	private final @Nullable String database;

	/**
	 * Creates a resync for the default database.
	 * @param engine finds the stored ids and raises the counters
	 * @param names names the sequences of entity types
	 */
	public DefaultHiLoResync(HiLoEngine engine, MappedSequenceNames names) {
		this(engine, names, null);
	}

	private DefaultHiLoResync(HiLoEngine engine, MappedSequenceNames names, @Nullable String database) {
		this.engine = engine;
		this.names = names;
		this.database = database;
	}

	@Override
	public Report resync(Class<?> entityType) {
		return resync(entityType, this.names.collectionOf(Arguments.requireType(entityType)));
	}

	@Override
	public Report resync(Class<?> entityType, String collection) {
		RangeStore store = store();
		String sequence = this.names.nameOf(Arguments.requireType(entityType));
		return raise(store, collection, sequence, report(store, entityType, collection));
	}

	@Override
	public Map<String, Report> resyncCollection(String collection) {
		RangeStore store = store();
		Map<String, Report> reports = reports(store, collection);
		reports.replaceAll((sequence, found) -> raise(store, collection, sequence, found));
		return reports;
	}

	@Override
	public Report report(Class<?> entityType) {
		return report(entityType, this.names.collectionOf(Arguments.requireType(entityType)));
	}

	@Override
	public Report report(Class<?> entityType, String collection) {
		return report(store(), entityType, collection);
	}

	@Override
	public Map<String, Report> reportCollection(String collection) {
		return reports(store(), collection);
	}

	@Override
	public HiLoResync forDatabase(@Nullable String database) {
		return new DefaultHiLoResync(this.engine, this.names, this.engine.requireDatabase(database));
	}

	private Report raise(RangeStore store, String collection, String sequence, Report found) {
		String ids = describe(store, collection, sequence);
		if (found.highest() == null) {
			logger.info("There is no id of {}; its counter was left alone", ids);
			return found;
		}
		long max = this.engine.sequence(store, sequence).ensureAtLeast(found.highest());
		logger.info("The highest id of {} is {}; its counter stands at {}", ids, found.highest(), max);
		return new Report(found.highest(), max);
	}

	private Report report(RangeStore store, Class<?> entityType, String collection) {
		String sequence = this.names.nameOf(Arguments.requireType(entityType));
		return report(store, collection, sequence, this.names.placesOf(collection, sequence));
	}

	private Map<String, Report> reports(RangeStore store, String collection) {
		Map<String, Report> reports = new TreeMap<>();
		this.names.sequencesOf(collection)
			.forEach((sequence, places) -> reports.put(sequence, report(store, collection, sequence, places)));
		return reports;
	}

	private Report report(RangeStore store, String collection, String sequence, List<Place> places) {
		this.engine.requireUsable(store, sequence);
		HighestStoredId highest = await(store.highestStored(sequence, places, STEP_TIMEOUT));
		if (highest.beyond() != null) {
			throw new HiLoDocumentException("The id " + highest.beyond() + ", an id of "
					+ describe(store, collection, sequence) + ", may stand for a number beyond "
					+ HiLoIdGenerator.MAX_FLOOR + ", the highest that a counter can be raised to. Nothing was raised."
					+ " Give the document another id, or find the highest number yourself and pass it to"
					+ " HiLoIdGenerator.ensureAtLeast.");
		}
		return await(store.counter(sequence, STEP_TIMEOUT)
			.thenApply((counter) -> new Report((highest.number() > 0) ? highest.number() : null, counter)));
	}

	private RangeStore store() {
		if (REACTOR && Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("A resync blocks, and thread "
					+ Names.quoted(Thread.currentThread().getName()) + " must not be blocked. Nothing was read. Use"
					+ " Mono.fromCallable(...).subscribeOn(Schedulers.boundedElastic()).");
		}
		return this.engine.storeOf(this.database);
	}

	private static String describe(RangeStore store, String collection, String sequence) {
		return "sequence " + Names.quoted(sequence) + " in collection " + Names.quoted(collection) + " of database "
				+ Names.quoted(store.database());
	}

	private static <T> T await(CompletionStage<T> answer) {
		return LatchWait.await(answer, "Interrupted while stored ids were being read or a counter was raised");
	}

}
