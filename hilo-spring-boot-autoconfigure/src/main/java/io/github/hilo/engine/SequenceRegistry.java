package io.github.hilo.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.store.RangeStore;
import io.github.hilo.store.TimeSource;
import io.github.hilo.text.Names;
import io.github.hilo.text.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequences of every database that was asked for, and the life that they share.
 * <p>
 * How it is safe: sequences are in concurrent maps before anybody can use them, and stay
 * there. The mode is written before the sequences are visited, and a sequence reads it
 * under its lock: one that is visited knows the new mode, and one that was created too
 * late to be visited reads it before it reserves anything.
 */
final class SequenceRegistry {

	/**
	 * So many sequences may have names that are made of users' input.
	 */
	private static final int MANY = 1_000;

	private static final Logger logger = LoggerFactory.getLogger(SequenceRegistry.class);

	private final HiLoSettings settings;

	private final TimeSource time;

	private final EngineEvents events;

	private final Map<String, Map<String, RangeSequence>> databases = new ConcurrentHashMap<>();

	private final AtomicInteger count = new AtomicInteger();

	private final AtomicReference<EngineMode> mode = new AtomicReference<>(EngineMode.RUNNING);

	/**
	 * How long a shutdown has waited: both its steps together may wait for the timeout.
	 */
	private volatile Duration waited = Duration.ZERO;

	SequenceRegistry(HiLoSettings settings, TimeSource time, EngineEvents events) {
		this.settings = settings;
		this.time = time;
		this.events = events;
	}

	/**
	 * Finds a sequence, or creates it.
	 * @param store its database, as the calling thread resolved it
	 */
	RangeSequence sequence(RangeStore store, String name) {
		Map<String, RangeSequence> sequences = this.databases.get(store.database());
		RangeSequence sequence = (sequences != null) ? sequences.get(name) : null;
		return (sequence != null) ? sequence.over(store) : create(store, name);
	}

	boolean knows(String database) {
		return this.databases.containsKey(database);
	}

	Map<String, RangeSequence> sequencesOf(String database) {
		return this.databases.computeIfAbsent(database, (absent) -> new ConcurrentHashMap<>());
	}

	private RangeSequence create(RangeStore store, String name) {
		StackReserve.require();
		requireName(store, name);
		RangeSequence created = new RangeSequence(name, store, this.settings, this.time, this.mode, this.events);
		RangeSequence existing = sequencesOf(store.database()).putIfAbsent(name, created);
		if (existing == null && this.count.incrementAndGet() == MANY) {
			logger
				.warn("There are {} sequences by now, among them {} of database {}. Each takes memory and has meters until "
						+ "the application ends. Do not make names of users' input; if you need so many, limit the tag "
						+ "'sequence' with a MeterFilter.", MANY, Names.quoted(name), Names.quoted(store.database()));
		}
		return (existing != null) ? existing.over(store) : created;
	}

	/**
	 * Checks the name of a sequence, and that ids can still be issued.
	 */
	void requireUsable(RangeStore store, String name) {
		requireName(store, name);
		if (this.mode.get() == EngineMode.CLOSED) {
			throw ReservationFailure.closed(name);
		}
	}

	private static void requireName(RangeStore store, String name) {
		Names.requireCounterId(name, store.document(Names.requireSequence(name)));
	}

	/**
	 * Holds nothing from now on.
	 */
	Release pausing() {
		this.mode.compareAndSet(EngineMode.RUNNING, EngineMode.PAUSED);
		return releasing(null, null);
	}

	void resume() {
		if (this.mode.get() == EngineMode.PAUSED) {
			sequences(null, null).forEach(RangeSequence::reset);
			this.waited = Duration.ZERO;
			// Fails where it was closed meanwhile.
			this.mode.compareAndSet(EngineMode.PAUSED, EngineMode.RUNNING);
			sequences(null, null).forEach(RangeSequence::proceed);
		}
	}

	/**
	 * Issues nothing from now on.
	 */
	Release closing() {
		this.mode.set(EngineMode.CLOSED);
		return releasing(null, null);
	}

	/**
	 * Returns what is unissued, without waiting for it.
	 * @param database the sequences' database, or {@code null} for every one
	 * @param name the sequences' name, or {@code null} for every one
	 */
	Release releasing(@Nullable String database, @Nullable String name) {
		return new Release(sequences(database, name).stream().map(RangeSequence::release).toList());
	}

	/**
	 * Waits for the release of a shutdown. What could not be returned is told at once,
	 * and what was not answered in time is discarded: two copies that are made of this
	 * process now must not both return it.
	 * @return whether every return was answered in time
	 */
	boolean awaitShutdown(Release release) {
		Duration timeout = this.settings.timeout();
		Duration patience = timeout.minus(this.waited);
		long begunNanos = this.time.nanoTime();
		boolean answered = LatchWait.endedUninterrupted(release.ended(), patience);
		this.waited = this.waited.plusNanos(this.time.nanoTime() - begunNanos);
		List<RuntimeException> failures = release.failures(timeout);
		if (!answered) {
			discard();
		}
		if (!failures.isEmpty() && patience.compareTo(Duration.ZERO) > 0) {
			logger.warn("Unused numbers could not be returned and become a gap, of {} sequences in all. {}",
					failures.size(), failures.get(0).getMessage());
		}
		return answered;
	}

	void discard() {
		sequences(null, null).forEach(RangeSequence::discard);
	}

	/**
	 * Finds a sequence of each database.
	 * @param database the database, or {@code null} for every one
	 * @param name the sequences' name, or {@code null} for any
	 */
	Map<String, RangeSequence> oneOfEach(@Nullable String database, @Nullable String name) {
		Map<String, RangeSequence> found = new TreeMap<>();
		sequences(database, name).forEach((sequence) -> found.putIfAbsent(sequence.database(), sequence));
		return found;
	}

	/**
	 * Takes the failures of the sequences of one name for over.
	 * @param database the sequences' database, or {@code null} for every one
	 */
	void forgiveFailures(@Nullable String database, String name) {
		sequences(database, name).forEach(RangeSequence::forgiveFailure);
	}

	void warmUp(RangeStore store, Collection<String> names) {
		CompletableFuture<?> ranges = CompletableFuture.allOf(names.stream()
			.map((name) -> sequence(store, name).ask(new Waiter(false)).answer())
			.toArray(CompletableFuture[]::new));
		if (!LatchWait.endedUninterrupted(ranges, this.settings.timeout())) {
			throw new HiLoUnavailableException(
					"Not every sequence of " + names + " in database " + Names.quoted(store.database())
							+ " got a range within " + Timeouts.named(this.settings.timeout()));
		}
		ReservationFailure.join(ranges);
	}

	/**
	 * Shows every sequence.
	 * @param view how
	 */
	Map<String, Map<String, SequenceSnapshot>> show(Function<RangeSequence, SequenceSnapshot> view) {
		Map<String, Map<String, SequenceSnapshot>> databases = new TreeMap<>();
		this.databases.forEach((database, sequences) -> {
			Map<String, SequenceSnapshot> snapshots = new TreeMap<>();
			sequences.forEach((name, sequence) -> snapshots.put(name, view.apply(sequence)));
			databases.put(database, snapshots);
		});
		return databases;
	}

	private List<RangeSequence> sequences(@Nullable String database, @Nullable String name) {
		return this.databases.values()
			.stream()
			.flatMap((sequences) -> sequences.values().stream())
			.filter((sequence) -> database == null || database.equals(sequence.database()))
			.filter((sequence) -> name == null || name.equals(sequence.name()))
			.toList();
	}

	/**
	 * A release that was begun.
	 *
	 * @param sequences what ends with each sequence, with why a return failed
	 */
	record Release(List<CompletableFuture<@Nullable RuntimeException>> sequences) {

		/**
		 * What ends once nothing is held any more that had to go back.
		 */
		CompletableFuture<@Nullable Void> ended() {
			return CompletableFuture.allOf(this.sequences.toArray(CompletableFuture[]::new));
		}

		private List<RuntimeException> failures(Duration timeout) {
			RuntimeException late = new HiLoUnavailableException(ReservationFailure.noAnswerWithin(timeout));
			return this.sequences.stream().map((sequence) -> sequence.getNow(late)).filter(Objects::nonNull).toList();
		}

	}

}
