package io.github.hilo.internal.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.github.hilo.Arguments;
import io.github.hilo.HiLoDocumentException;
import io.github.hilo.HiLoIdGenerator;
import io.github.hilo.HiLoUnavailableException;
import io.github.hilo.internal.sequence.AsyncSequence;
import io.github.hilo.internal.sequence.HiLoSettings;
import io.github.hilo.internal.sequence.LatchWait;
import io.github.hilo.internal.sequence.RangeSequence;
import io.github.hilo.internal.sequence.SequenceEvent;
import io.github.hilo.internal.sequence.ReservationFailure;
import io.github.hilo.internal.sequence.SequenceSnapshot;
import io.github.hilo.internal.store.Deadline;
import io.github.hilo.internal.store.Place;
import io.github.hilo.internal.store.RangeStore;
import io.github.hilo.internal.store.RangeStores;
import io.github.hilo.internal.store.TimeSource;
import io.github.hilo.internal.text.Names;
import io.github.hilo.internal.text.Timeouts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the sequences of every database, and their life. The seam that everything but the
 * callers of {@link HiLoIdGenerator} depends on, so that a decorated or replaced
 * generator takes nothing from them.
 * <p>
 * How it is safe: the mode is written before the sequences are visited, and a sequence
 * reads it under its lock. One that is visited knows the new mode, and one that was
 * created too late to be visited reads it before it reserves anything.
 */
public final class HiLoEngine implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(HiLoEngine.class);

	private final RangeStores stores;

	private final EntitySequenceNames names;

	private final HiLoSettings settings;

	private final TimeSource time;

	private final AtomicReference<RangeSequence.Mode> mode = new AtomicReference<>(RangeSequence.Mode.RUNNING);

	private final SequenceRegistry registry;

	private final DefaultHiLoIdGenerator generator;

	// The default database, once it is certain that it cannot change.
	private volatile @Nullable RangeStore fixedStore;

	// How long a shutdown has waited: both its steps together may wait for the timeout.
	private volatile Duration shutdownWaited = Duration.ZERO;

	/**
	 * Creates an engine that nobody listens to. It reserves nothing before the first id
	 * is asked for.
	 */
	public HiLoEngine(RangeStores stores, EntitySequenceNames names, HiLoSettings settings, TimeSource time) {
		this(stores, names, settings, time, (event) -> {
		});
	}

	/**
	 * Creates an engine that is listened to.
	 * @param events told what happens to its sequences, while no lock is held, by any
	 * number of threads; must not throw
	 */
	public HiLoEngine(RangeStores stores, EntitySequenceNames names, HiLoSettings settings, TimeSource time,
			Consumer<SequenceEvent> events) {
		this.stores = stores;
		this.names = names;
		this.settings = settings;
		this.time = time;
		this.registry = new SequenceRegistry(
				(name, store) -> new RangeSequence(name, store, settings, time, this.mode, events, stores.executor()));
		this.generator = new DefaultHiLoIdGenerator(this);
	}

	public HiLoIdGenerator generator() {
		return this.generator;
	}

	public EntitySequenceNames names() {
		return this.names;
	}

	/**
	 * Reserves a range for each of some sequences of the default database, side by side,
	 * and waits for them, at most for the configured timeout. A consecutive sequence
	 * holds nothing, so nothing is reserved for it.
	 * @throws HiLoUnavailableException if one got no range; the others went on
	 * @throws HiLoDocumentException if one's counter is malformed; the others went on
	 */
	public void warmUp(Collection<String> sequences) {
		RangeStore store = currentStore(deadline());
		CompletableFuture<?> ranges = all(
				sequences.stream().map((name) -> sequence(store, name).ensureRange()).toList());
		if (!LatchWait.endedUninterrupted(ranges, this.settings.timeout())) {
			throw new HiLoUnavailableException(
					"Not every sequence of " + sequences + " in database " + Names.quoted(store.database())
							+ " got a range within " + Timeouts.named(this.settings.timeout()));
		}
		ReservationFailure.join(ranges);
	}

	/**
	 * Returns what is unused and holds no range until {@link #resume()}. Ids are still
	 * issued, each by a reservation of its own.
	 */
	public boolean pause() {
		return awaitShutdown(pausing());
	}

	List<CompletableFuture<@Nullable RuntimeException>> pausing() {
		this.mode.compareAndSet(RangeSequence.Mode.RUNNING, RangeSequence.Mode.PAUSED);
		return releasing(null, null);
	}

	/**
	 * Holds ranges again after a {@link #pause()}. Nothing that was reserved or requested
	 * before is used: this process may be one of several that were restored from one
	 * snapshot.
	 */
	public void resume() {
		if (this.mode.get() == RangeSequence.Mode.PAUSED) {
			this.registry.select(null, null).forEach(RangeSequence::reset);
			this.shutdownWaited = Duration.ZERO;
			// Fails where it was closed meanwhile.
			this.mode.compareAndSet(RangeSequence.Mode.PAUSED, RangeSequence.Mode.RUNNING);
			this.registry.select(null, null).forEach(RangeSequence::proceed);
		}
	}

	/**
	 * Returns what is unused and issues nothing any more. Callers whose reservation is
	 * under way get their number first; those that wait for a return to end are refused.
	 * Waits at most for the configured timeout.
	 */
	@Override
	public void close() {
		awaitShutdown(closing());
		this.stores.close();
	}

	List<CompletableFuture<@Nullable RuntimeException>> closing() {
		this.mode.set(RangeSequence.Mode.CLOSED);
		return releasing(null, null);
	}

	/**
	 * Waits for the release of a shutdown. What could not be returned is told at once,
	 * and what was not answered in time is discarded: two copies that are made of this
	 * process now must not both return it.
	 */
	private boolean awaitShutdown(List<CompletableFuture<@Nullable RuntimeException>> released) {
		Duration timeout = this.settings.timeout();
		Duration left = timeout.minus(this.shutdownWaited);
		long begunNanos = this.time.nanoTime();
		boolean answered = LatchWait.endedUninterrupted(all(released), left);
		this.shutdownWaited = this.shutdownWaited.plusNanos(this.time.nanoTime() - begunNanos);
		RuntimeException late = new HiLoUnavailableException(ReservationFailure.noAnswerWithin(timeout));
		List<RuntimeException> failures = released.stream()
			.map((sequence) -> sequence.getNow(late))
			.filter(Objects::nonNull)
			.toList();
		if (!answered) {
			discard();
		}
		if (!failures.isEmpty()) {
			logger.warn("Unused numbers could not be returned and become a gap, of {} sequences in all. {}",
					failures.size(), failures.get(0).getMessage());
		}
		return answered;
	}

	void discard() {
		this.registry.select(null, null).forEach(RangeSequence::discard);
	}

	/**
	 * Returns the unused ranges of some sequences now, and waits for it, at most for the
	 * configured timeout. What could not be returned becomes a gap. The failures of
	 * sequences that are named are over.
	 * @return the databases to which something could not be returned
	 */
	public SortedSet<String> release(@Nullable String database, @Nullable String sequence) {
		Map<RangeSequence, CompletableFuture<@Nullable RuntimeException>> released = new HashMap<>();
		this.registry.select(database, sequence).forEach((any) -> released.put(any, any.release()));
		LatchWait.endedUninterrupted(all(List.copyOf(released.values())), this.settings.timeout());
		SortedSet<String> lost = new TreeSet<>();
		released.forEach((any, ended) -> {
			if (!ended.isDone() || ended.join() != null) {
				lost.add(any.database());
			}
			else if (sequence != null) {
				any.forgiveFailure();
			}
		});
		return lost;
	}

	/**
	 * Returns the unused ranges as {@link #release} does, for callers that must not wait.
	 */
	public CompletableFuture<@Nullable Void> releaseAsync(@Nullable String database) {
		CompletableFuture<@Nullable Void> released = CompletableFuture.<@Nullable Void>completedFuture(null)
			.thenComposeAsync((none) -> all(releasing(database, null)), this.stores.executor());
		Runnable cancel = this.stores.after(this.settings.timeout(), () -> released.complete(null));
		return released.whenComplete((none, failure) -> cancel.run());
	}

	/**
	 * Begins to return what is unused. Each sequence answers why that failed, if it did,
	 * once it holds nothing any more that had to go back.
	 */
	private List<CompletableFuture<@Nullable RuntimeException>> releasing(@Nullable String database,
			@Nullable String sequence) {
		return this.registry.select(database, sequence).stream().map(RangeSequence::release).toList();
	}

	static CompletableFuture<@Nullable Void> all(List<? extends CompletableFuture<?>> parts) {
		return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new));
	}

	/**
	 * Checks the name of a database.
	 * @throws IllegalArgumentException if no database can have it, and none is shown by
	 * it
	 */
	public @Nullable String requireDatabase(@Nullable String database) {
		return (database == null || this.registry.knows(database)) ? database : Names.requireDatabase(database);
	}

	/**
	 * Shows every sequence that was asked for, without taking a number or reserving a
	 * range.
	 */
	public Map<String, Map<String, SequenceSnapshot>> snapshot() {
		return this.registry.show(RangeSequence::snapshot);
	}

	/**
	 * Tells which sequences can issue ids. For one that cannot, because its range is used
	 * up and the last reservation failed, a range is requested again in the background,
	 * or the counter read if it is consecutive.
	 */
	public Map<String, Map<String, SequenceSnapshot>> checkHealth() {
		return this.registry.show(RangeSequence::checkHealth);
	}

	/**
	 * Finds the store of a database, within the limit of a call.
	 */
	public RangeStore storeOf(String database) {
		return this.stores.named(database, deadline());
	}

	/**
	 * Finds the store of the database that a call of a generator would get an id of.
	 */
	public @Nullable RangeStore storeUsedBy(HiLoIdGenerator generator, Deadline deadline) {
		return (generator instanceof DefaultHiLoIdGenerator own) ? own.store(deadline) : null;
	}

	public boolean isOwn(HiLoIdGenerator generator) {
		return generator instanceof DefaultHiLoIdGenerator;
	}

	public RangeSequence sequence(RangeStore store, @Nullable String name) {
		return this.registry.sequence(store, Arguments.requireSequence(name));
	}

	/**
	 * Finds a sequence for a call that must not wait.
	 * @param place where ids go that are of its form, or {@code null} if that is not
	 * known
	 * @param completions what completes a call that had to wait
	 */
	public AsyncSequence async(RangeStore store, String name, @Nullable Place place, Deadline deadline,
			Executor completions) {
		return new AsyncSequence(sequence(store, name).placed(place), this.stores.executor(),
				deadline.resolved(store.database()), completions);
	}

	public Deadline deadline() {
		return new Deadline(timeout(), this.time);
	}

	public Duration timeout() {
		return this.settings.timeout();
	}

	/**
	 * Whether an id that the application has chosen may be one that a sequence would
	 * issue, in whatever database.
	 * @param known whether a known type counts in the sequence, which then leaves the id
	 * out even if nobody has asked for the sequence yet
	 */
	public boolean mayIssue(String sequence, Object id, boolean known) {
		return this.registry.hasNamed(sequence) || (known
				&& (id instanceof Number || this.settings.formats().apply(sequence).numberAtEnd((String) id) > 0));
	}

	/**
	 * The application stores a document with an id of its choice: no sequence that issues
	 * there will issue it. Sends nothing.
	 * @param store the database, or {@code null} if it cannot be told
	 * @param known whether a known type counts in the sequence
	 */
	public void chosen(@Nullable RangeStore store, String sequence, Object id, boolean known) {
		this.registry.chosen(store, sequence, id, known);
	}

	public RangeStore currentStore(Deadline deadline) {
		RangeStore store = this.fixedStore;
		if (store != null) {
			return store;
		}
		store = this.stores.current(deadline);
		if (isCurrentFixed()) {
			this.fixedStore = store;
		}
		return store;
	}

	boolean isCurrentFixed() {
		return this.stores.isCurrentFixed();
	}

}
